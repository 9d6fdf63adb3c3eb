/** What a process measures of its own beginning; one line of JSON is its answer. */
import { coldTimes, type Form, problemOf } from "./phases.js";

const [, form, contacts] = process.argv.slice(2);
console.log(JSON.stringify(coldTimes(problemOf(form as Form, Number(contacts)), form as Form)));
