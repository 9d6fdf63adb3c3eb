/**
 * Finds the site's MPI library at run time. Nothing is linked against it: Open MPI and MPICH are different binaries behind one standard, and the launcher
 * decides which one is right.
 */
import { existsSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { InputError } from "@stickslip/core";
import koffi, { type LibraryHandle } from "koffi";
import { type Environment, launched, type MpiKind } from "./launched.js";

export interface MpiLibrary {
	readonly kind: MpiKind;
	/** As the library reports it: "4.1.4". */
	readonly version: string;
	/** A path, or a name that the system's loader resolves. */
	readonly path: string;
}

/** Names by which each kind is installed. MPICH's relatives (Intel, Cray, MVAPICH) keep its binary interface under libmpi.so.12. */
const names: Readonly<Record<MpiKind, readonly string[]>> = {
	openmpi: ["libmpi.so.40", "libmpi.so.20", "libmpi.40.dylib", "libmpi.so"],
	mpich: ["libmpich.so.12", "libmpi.so.12", "libmpi_cray.so.12", "libmpi.12.dylib", "libmpich.so", "libmpi.so"],
};

/** Where distributions and sites put them, besides what the system's loader (LD_LIBRARY_PATH, ldconfig) finds by name. */
const folders: Readonly<Record<MpiKind, readonly string[]>> = {
	openmpi: [
		"/usr/lib64/openmpi/lib",
		"/usr/lib/openmpi/lib",
		"/opt/openmpi/lib",
		"/opt/homebrew/lib",
		"/usr/local/lib",
	],
	mpich: ["/usr/lib64/mpich/lib", "/usr/lib/mpich/lib", "/opt/mpich/lib", "/opt/homebrew/lib", "/usr/local/lib"],
};

const variable = "STICKSLIP_MPI";
const install = "on Debian: apt install openmpi-bin (or mpich); elsewhere load the site's MPI module";

/**
 * UCX, on which MPICH and some Open MPI builds are based, patches the code of malloc and mmap when it is loaded, while the engine's threads run in it:
 * without these settings one in fifty to a hundred MPICH ranks crashed inside V8. It also takes the signal by which V8 notices accesses beyond a
 * WebAssembly memory. Settings of the user stay.
 */
const ucx = { UCX_MEM_EVENTS: "no", UCX_ERROR_SIGNALS: "" } as const;

/** The C library's environment is what counts: a worker's process.env is a copy. */
function prepare(): void {
	const setenv = koffi.load(null).func("setenv", "int", ["str", "str", "int"]);
	for (const [name, value] of Object.entries(ucx)) setenv(name, value, 0);
}

/** Open MPI's plugins resolve their symbols against the library, which therefore has to be global. */
export function loadGlobal(path: string): LibraryHandle {
	prepare();
	keepLoaded(path);
	return koffi.load(path, { global: true, lazy: true });
}

/**
 * A reference that is never released. Threads that called MPI end with functions of the library (destructors of what it keeps for each thread), and koffi
 * unloads it when the process begins to end: four processes of threads+mpi over TCP lost one to SIGSEGV in every run.
 */
function keepLoaded(path: string): void {
	const lazily = 1;
	koffi.load(null).func("dlopen", "void *", ["str", "int"])(path, lazily);
}

/**
 * The library that this process has to use, or undefined where there is none. STICKSLIP_MPI may name a library, or a kind (openmpi, mpich) to look for; a
 * name that does not work is an error, since it was set on purpose.
 */
export function findMpi(env: Environment = process.env): MpiLibrary | undefined {
	const wanted = env[variable];
	const isKind = wanted === "openmpi" || wanted === "mpich";
	if (wanted !== undefined && wanted !== "" && !isKind) return named(wanted);
	const kind = isKind ? wanted : launched(env)?.kind;
	for (const candidate of candidates(kind, env)) {
		const found = identify(candidate.path);
		if (found !== undefined && found.kind === candidate.kind) return found;
	}
	if (!isKind) return undefined;
	throw new InputError(
		"environment",
		variable,
		`no ${wanted} was found`,
		`give the path of its library, or ${install}`,
	);
}

/** The same, but an error if there is none. */
export function requireMpi(env: Environment = process.env): MpiLibrary {
	const found = findMpi(env);
	if (found !== undefined) return found;
	const kind = launched(env)?.kind;
	const problem =
		kind === undefined
			? "there is neither libmpi (Open MPI) nor libmpich (MPICH)"
			: `started by ${kind}'s launcher, but its library (${names[kind].join(", ")}) is not found`;
	throw new InputError("transport mpi", "library", problem, `set ${variable} to the library's path, or ${install}`);
}

function* candidates(kind: MpiKind | undefined, env: Environment): Generator<{ kind: MpiKind; path: string }> {
	const kinds: readonly MpiKind[] = kind === undefined ? ["openmpi", "mpich"] : [kind];
	// A site's launcher on the path says more than a package that happens to be installed.
	for (const each of kinds) {
		for (const folder of [...suggested(env), undefined, ...folders[each]]) {
			for (const name of names[each]) {
				const path = folder === undefined ? name : join(folder, name);
				if (folder === undefined || existsSync(path)) yield { kind: each, path };
			}
		}
	}
}

/** Library folders that variables of the launcher, of modules and the place of mpirun suggest. */
function suggested(env: Environment): string[] {
	const homes = ["OPAL_PREFIX", "MPI_HOME", "MPI_ROOT", "I_MPI_ROOT", "MPICH_DIR"].flatMap((name) => env[name] ?? []);
	const bins = (env.PATH ?? "").split(delimiter).filter((bin) => isAbsolute(bin) && existsSync(join(bin, "mpirun")));
	// A system's own folders hold several kinds, which the loader tells apart by name.
	const roots = bins.map(dirname).filter((root) => !["/", "/usr"].includes(root));
	return [...homes, ...roots].flatMap((root) => [join(root, "lib"), join(root, "lib64"), join(root, "lib/release")]);
}

function named(path: string): MpiLibrary {
	const found = identify(path);
	if (found !== undefined) return found;
	throw new InputError(
		"environment",
		variable,
		`${path} cannot be loaded as an MPI library`,
		`name one, or ${install}`,
	);
}

/** Queries the library itself; MPI_Get_library_version may be called before MPI is initialised. */
function identify(path: string): MpiLibrary | undefined {
	try {
		prepare();
		const library = koffi.load(path, { lazy: true });
		const getVersion = library.func("MPI_Get_library_version", "int", ["void *", "void *"]);
		// The longest text that the standard's constants allow for is 8192 in MPICH, 256 in Open MPI.
		const bytes = new Uint8Array(16384);
		const length = new Int32Array(1);
		if (getVersion(bytes, length) !== 0) return undefined;
		const text = new TextDecoder().decode(bytes.subarray(0, length[0]));
		const version = /\d+\.\d+(\.\d+)?/.exec(text)?.[0] ?? "unknown";
		if (/open ?mpi/i.test(text)) return { kind: "openmpi", version, path };
		return /mpich|intel|cray|mvapich/i.test(text) ? { kind: "mpich", version, path } : undefined;
	} catch {
		// Missing, or not loadable on this system: the next candidate is tried.
		return undefined;
	}
}
