/** A process of one measurement; one line of JSON is its answer. */
import { factsOf, type ProfiledProblem, profileOf } from "./profile.js";

const [what, subject] = process.argv.slice(2);
const given = JSON.parse(subject ?? "") as ProfiledProblem;
console.log(JSON.stringify(what === "profile" ? profileOf(given) : factsOf(given)));
