export {
	type GeneratedProblem,
	type GenerateOptions,
	type GeneratorName,
	generate,
	generateNames,
} from "./generate.js";
