export {
	type GeneratedProblem,
	type GenerateOptions,
	type GeneratorName,
	generate,
	generateNames,
	generateRolling,
} from "./generate.js";
