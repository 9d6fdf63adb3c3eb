/**
 * The folder of a service: its keys, and one connection file per client, which has all that the client needs. Anyone who has such a file is that client; a
 * client whose file is removed is unknown.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { accessSync, constants, mkdirSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { InputError } from "@stickslip/core";
import { type Checked, matching, optional, record, text } from "@stickslip/core/schema";
import { curveKeyPair } from "zeromq";
import { codeOf, codeOrText } from "../base/errors.js";
import { namesIn } from "../base/folders.js";
import { writeWhole } from "../files/write.js";
import { fieldsOf } from "../records/check.js";
import { type Claim, claim } from "../records/claim.js";
import { readPrivate } from "../records/own.js";

const SERVICE_VARIABLE = "STICKSLIP_SERVICE";

const SERVICE_FILE = "service.json";
const CLIENT_FILE = /^client-(.*)\.json$/;
const NAME = /^[A-Za-z0-9._-]{1,64}$/;
const CLAIM = {
	place: "folder",
	problem: "already has a service",
	remedy: "end it, or name another folder with --keys",
};
const TOKEN_BYTES = 32;
const ADDRESS_MAX = 1000;
const OTHERS_MAY_WRITE = 0o022;
const OTHERS = 0o077;
/** The least that systems have room for: 107 on Linux, 103 on macOS. */
const SOCKET_PATH_BYTES_MAX = 103;

const key = matching(/^[\w.:+=^!/*?&<>()[\]{}@%$#-]{40}$/, "a CURVE key in Z85");
const address = text(ADDRESS_MAX);
const isServiceFile = record({ publicKey: key, secretKey: key });
const isConnectionFile = record({
	name: matching(NAME, "a name of a client"),
	zeromq: address,
	websocket: optional(address),
	local: optional(address),
	serviceKey: key,
	publicKey: key,
	secretKey: key,
	token: text(ADDRESS_MAX),
});

export type ServiceKeys = Checked<typeof isServiceFile>;
type ConnectionFile = Checked<typeof isConnectionFile>;

/** Where clients find the service. */
export type Addresses = Pick<ConnectionFile, "zeromq" | "websocket" | "local">;

interface KnownClient {
	readonly name: string;
	readonly publicKey: string;
	/** Digests have one length, which comparing in constant time requires. */
	readonly token: Buffer;
}

export class ServiceFolder {
	readonly path: string;
	/** Whether the folder is writable: a volume of secrets in a pod is not. */
	readonly isWritable: boolean;
	#clients: readonly KnownClient[] = [];
	/** The time of the folder's last change when clients were read. */
	#changed = Number.NaN;

	/** Creates the folder if missing. Throws an InputError if others could add clients to it. */
	constructor(given?: string) {
		this.path = resolve(given ?? process.env[SERVICE_VARIABLE] ?? join(homedir(), ".stickslip", "service"));
		try {
			mkdirSync(this.path, { recursive: true, mode: 0o700 });
			this.isWritable = isWritable(this.path);
			const { mode, uid } = statSync(this.path);
			const isOwn = process.geteuid === undefined || uid === process.geteuid() || uid === 0;
			// A volume of secrets in a pod has all permissions, but is read-only.
			if (isOwn && ((mode & OTHERS_MAY_WRITE) === 0 || !this.isWritable)) return;
		} catch (error) {
			throw new InputError(this.path, "folder", `cannot be made (${codeOrText(error)})`, "name another with --keys");
		}
		throw new InputError(this.path, "folder", "others may write to it", "chmod go-w it, or name another with --keys");
	}

	/** Made where there are none. */
	keys(): ServiceKeys {
		const file = join(this.path, SERVICE_FILE);
		if (namesIn(this.path).includes(SERVICE_FILE)) return this.#read(file, (fields) => fields.take(isServiceFile));
		const { publicKey, secretKey } = curveKeyPair();
		write(file, { publicKey, secretKey });
		return { publicKey, secretKey };
	}

	/** One service at a time. In a read-only folder two services cannot disturb each other. */
	async claim(): Promise<Claim | undefined> {
		return this.isWritable ? await claim(this.path, CLAIM) : undefined;
	}

	/**
	 * The path of the unencrypted socket for processes of the same user. None if others may enter the folder, if it is read-only, if the path is too long
	 * for a socket, on Windows, and with STICKSLIP_CURVE=always.
	 */
	get socketPath(): string | undefined {
		if (!this.isWritable || process.platform === "win32" || process.env.STICKSLIP_CURVE === "always") return undefined;
		const { mode, uid } = statSync(this.path);
		const isShut = (mode & OTHERS) === 0 && uid === process.geteuid?.();
		const path = join(realpathSync(this.path), "socket");
		return isShut && Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX ? path : undefined;
	}

	/** The addresses of the service in its clients' files. */
	get addresses(): Addresses | undefined {
		const [name] = this.clientNames;
		return name === undefined ? undefined : addressesOf(this.#readClient(name));
	}

	get clientNames(): string[] {
		return namesIn(this.path).flatMap((name) => CLIENT_FILE.exec(name)?.[1] ?? []);
	}

	fileOf(name: string): string {
		return join(this.path, `client-${name}.json`);
	}

	/** Writes its connection file, if it has none yet. Throws an InputError for an invalid name. */
	addClient(name: string, addresses: Addresses): void {
		if (!NAME.test(name)) {
			throw new InputError("serve", "--client", `"${name}" is not a name`, "use 1 to 64 of A-Z a-z 0-9 . _ -");
		}
		if (this.clientNames.includes(name)) return;
		const { publicKey, secretKey } = curveKeyPair();
		const token = randomBytes(TOKEN_BYTES).toString("base64url");
		write(this.fileOf(name), { name, ...addresses, serviceKey: this.keys().publicKey, publicKey, secretKey, token });
	}

	/** Writes the present addresses into the files of all clients; returns the clients whose file is outdated and cannot be written. */
	writeAddresses(addresses: Addresses): string[] {
		const others: string[] = [];
		for (const name of this.clientNames) {
			const { zeromq, websocket, local, ...client } = this.#readClient(name);
			const isSame = websocket === addresses.websocket && local === addresses.local;
			if (isSame && zeromq === addresses.zeromq) continue;
			if (this.isWritable) write(this.fileOf(name), { ...client, ...addresses });
			else others.push(name);
		}
		return others;
	}

	/** The client with this token; all are compared, so that the time taken reveals nothing. */
	clientOf(token: string): string | undefined {
		const digest = digestOf(token);
		const found = this.#known().filter((client) => timingSafeEqual(client.token, digest));
		return found[0]?.name;
	}

	isClient(name: string): boolean {
		return this.#known().some((client) => client.name === name);
	}

	/** Whether it is the public key of a client. */
	isKnown(publicKey: string): boolean {
		return this.#known().some((client) => client.publicKey === publicKey);
	}

	/** Clients may come and go while the service is up. */
	#known(): readonly KnownClient[] {
		const changed = changedAt(this.path);
		if (changed === this.#changed) return this.#clients;
		this.#changed = changed;
		this.#clients = this.clientNames.flatMap((file) => {
			try {
				const { name, publicKey, token } = this.#readClient(file);
				return [{ name, publicKey, token: digestOf(token) }];
			} catch (error) {
				// It was removed, is being written, or is damaged: then this client is unknown.
				if (error instanceof InputError) return [];
				throw error;
			}
		});
		return this.#clients;
	}

	#readClient(name: string): ConnectionFile {
		return this.#read(this.fileOf(name), (fields) => fields.take(isConnectionFile));
	}

	#read<Value>(file: string, take: (fields: ReturnType<typeof fieldsOf>) => Value): Value {
		const remedy = "remove it: another one is made when the service starts";
		return take(fieldsOf(file, readPrivate(file, "--keys"), remedy));
	}
}

function isWritable(path: string): boolean {
	try {
		accessSync(path, constants.W_OK);
		return true;
	} catch {
		return false;
	}
}

/** When a folder was last changed; 0 if it cannot be read. */
function changedAt(path: string): number {
	try {
		return statSync(path).mtimeMs;
	} catch {
		return 0;
	}
}

function addressesOf({ zeromq, websocket, local }: ConnectionFile): Addresses {
	return { zeromq, ...(websocket !== undefined && { websocket }), ...(local !== undefined && { local }) };
}

function digestOf(token: string): Buffer {
	return createHash("sha256").update(token).digest();
}

/** Throws an InputError if it cannot be written. */
function write(file: string, value: object): void {
	try {
		writeWhole(file, `${JSON.stringify(value, undefined, "\t")}\n`, { isPrivate: true });
	} catch (error) {
		if (codeOf(error) === undefined) throw error;
		throw new InputError(file, "file", `cannot be written (${codeOrText(error)})`, "name another folder with --keys");
	}
}
