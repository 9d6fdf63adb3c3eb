/** A process of one measurement; one line of JSON is its answer. */
import { factsOf, profileOf, type Subject } from "./profile.js";

const [what, subject] = process.argv.slice(2);
const given = JSON.parse(subject ?? "") as Subject;
console.log(JSON.stringify(what === "profile" ? profileOf(given) : factsOf(given)));
