/**
 * Builds the kernels twice from packages/core/assembly: as WebAssembly SIMD, kept as base64 in a module so that it loads without
 * a file or a network, and as the TypeScript twin, by copying the portable sources to where tsc finds typed-array
 * versions of the few files that use WebAssembly's own instructions. Does nothing when the sources are those of the last build.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const core = fileURLToPath(new URL("../packages/core/", import.meta.url));
const assembly = join(core, "assembly");
const generated = join(core, "src/kernels/generated");
/** Written with WebAssembly instructions; each has its twin under src/kernels. */
const native = new Set([
	"batch.ts",
	"bins.ts",
	"bits.ts",
	"bodies.ts",
	"cone-pairs.ts",
	"measure-pairs.ts",
	"memory.ts",
	"pair.ts",
	"rigid-batch.ts",
	"rigid-block.ts",
	"scaling-pairs.ts",
	"sell-block.ts",
	"sell.ts",
	"six.ts",
	"slide.ts",
	"vectors.ts",
]);
const flags = [
	"--runtime",
	"stub",
	"--noAssert",
	"-O3",
	"--enable",
	"simd,threads",
	"--importMemory",
	"--sharedMemory",
	// What stands in memory from the start, references of functions, comes before all vectors (src/kernels/arena.ts).
	"--memoryBase",
	"64",
];
const pages = ["--initialMemory", "1", "--maximumMemory", "65536"];

const sources = readdirSync(assembly, { recursive: true })
	.filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
	.map((name) => name.replaceAll("\\", "/"))
	.sort();
const stamp = createHash("sha256");
stamp.update(readFileSync(fileURLToPath(import.meta.url)));
for (const name of sources) stamp.update(name).update(readFileSync(join(assembly, name)));
const digest = stamp.digest("hex");
const header = `/** Made by scripts/build-kernels.mjs from packages/core/assembly; ${digest}. */\n`;

function upToDate() {
	try {
		return readFileSync(join(generated, "module.ts"), "utf8").startsWith(header);
	} catch {
		return false;
	}
}

/** A portable source as TypeScript: the same text, with the numeric types declared and imports in Node's form. */
function twinOf(name) {
	const text = readFileSync(join(assembly, name), "utf8");
	// Native ones stand beside the folder of the generated copies.
	const up = name.includes("/") ? "../../" : "../";
	const imports = text.replace(/from "(\.\.?)\/([a-z/-]+)"/g, (_, folder, file) =>
		native.has(`${file}.ts`) ? `from "${up}${file}.js"` : `from "${folder}/${file}.js"`,
	);
	// Names such as Project alone are types: AssemblyScript has no word for that.
	const typed = imports.replace(/^import (\{( [A-Z][a-z]+,?)+ \} from)/gm, "import type $1");
	const types = ["f64", "i32"].filter((type) => new RegExp(`\\b${type}\\b`).test(text));
	return `${header}${types.map((type) => `type ${type} = number;\n`).join("")}${typed}`;
}

if (!upToDate()) {
	rmSync(generated, { recursive: true, force: true });
	mkdirSync(join(generated, "laws"), { recursive: true });
	for (const name of sources) if (!native.has(name)) writeFileSync(join(generated, name), twinOf(name));
	const output = join(generated, "kernels.wasm");
	const { error, stderr } = await asc.main(["index.ts", "--baseDir", assembly, "-o", output, ...flags, ...pages]);
	if (error) {
		process.stderr.write(stderr.toString());
		process.exit(1);
	}
	const base64 = readFileSync(output).toString("base64");
	rmSync(output);
	writeFileSync(join(generated, "module.ts"), `${header}export const kernelsBase64 =\n\t"${base64}";\n`);
}
