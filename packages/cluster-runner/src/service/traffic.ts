/**
 * Bytes on their way between a client and the service, over all of its connections: messages that are still arriving, and messages that the client has not
 * read. They are bounded by not reading: TCP then stops the client. Nothing is refused, so a slow network costs time only.
 */

/** Bytes of an incomplete message that every connection may have, whatever the others do. */
const FREE_BYTES = 2 ** 16;
/** Bytes of incomplete messages of one client, and of messages it has not read, above which connections wait. */
const WINDOW_BYTES = 2 ** 26;

/** Stops and continues reading from one connection. */
export interface Reading {
	pause(): void;
	resume(): void;
}

/** All connections of one client. */
export class Traffic {
	readonly #window: number;
	/** Connections with a large incomplete message, in the order of their turns: the first one may always go on. */
	readonly #large = new Set<ConnectionTraffic>();
	readonly #paused = new Set<ConnectionTraffic>();
	#arriving = 0;
	#unread = 0;

	/** Never more than the limit of the client. */
	constructor(bytesMax = Number.POSITIVE_INFINITY) {
		this.#window = Math.min(WINDOW_BYTES, bytesMax);
	}

	/** Bytes of incomplete messages, beyond those that every connection may have. */
	get arriving(): number {
		return this.#arriving;
	}

	/** Bytes that were sent to the client and have not been read. */
	get unread(): number {
		return this.#unread;
	}

	/** Connections that wait until others have finished, or until their client has read. */
	get paused(): number {
		return this.#paused.size;
	}

	/** Adds to the bytes of a connection; negative numbers take them away. */
	add(connection: ConnectionTraffic, arriving: number, unread: number): void {
		this.#arriving += arriving;
		this.#unread += unread;
		if (connection.large > 0) this.#large.add(connection);
		else this.#large.delete(connection);
		if (!this.#mayRead(connection)) this.#pause(connection);
		if (arriving < 0 || unread < 0) this.#resumeAllowed();
	}

	/** The connection has ended, or belongs to another client from now on. */
	remove(connection: ConnectionTraffic): void {
		this.#arriving -= connection.large;
		this.#unread -= connection.unread;
		this.#large.delete(connection);
		this.#resume(connection);
		this.#resumeAllowed();
	}

	#resumeAllowed(): void {
		for (const each of this.#paused) if (this.#mayRead(each)) this.#resume(each);
	}

	#mayRead(connection: ConnectionTraffic): boolean {
		if (connection.unread > 0 && this.#unread > this.#window) return false;
		if (connection.large === 0 || this.#arriving <= this.#window) return true;
		const [first] = this.#large;
		return first === connection;
	}

	#pause(connection: ConnectionTraffic): void {
		if (this.#paused.has(connection)) return;
		this.#paused.add(connection);
		connection.reading.pause();
	}

	#resume(connection: ConnectionTraffic): void {
		if (this.#paused.delete(connection)) connection.reading.resume();
	}
}

/** One connection, first among those whose client is not known yet. */
export class ConnectionTraffic {
	arriving = 0;
	unread = 0;
	readonly reading: Reading;
	#traffic: Traffic;
	#isEnded = false;

	constructor(traffic: Traffic, reading: Reading) {
		this.#traffic = traffic;
		this.reading = reading;
	}

	/** Bytes of its incomplete message that count with those of others. */
	get large(): number {
		return Math.max(0, this.arriving - FREE_BYTES);
	}

	/** Bytes of a message that is not complete yet. */
	arrived(bytes: number): void {
		this.#add(bytes, 0);
	}

	/** Removes bytes of messages that are complete now from the arriving ones. */
	completed(bytes: number): void {
		this.#add(-Math.min(bytes, this.arriving), 0);
	}

	/** A message is sent. */
	queued(bytes: number): void {
		this.#add(0, bytes);
	}

	/** It has been read, or never will be. */
	read(bytes: number): void {
		this.#add(0, -bytes);
	}

	/** From now on it counts with the other connections of its client. */
	move(to: Traffic): void {
		if (this.#isEnded || to === this.#traffic) return;
		this.#traffic.remove(this);
		this.#traffic = to;
		to.add(this, this.large, this.unread);
	}

	end(): void {
		if (this.#isEnded) return;
		this.#isEnded = true;
		this.#traffic.remove(this);
	}

	#add(arriving: number, unread: number): void {
		if (this.#isEnded || (arriving === 0 && unread === 0)) return;
		const before = this.large;
		this.arriving += arriving;
		this.unread += unread;
		this.#traffic.add(this, this.large - before, unread);
	}
}
