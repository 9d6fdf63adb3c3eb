/** Many who wait for one signal, by one listener: Node.js warns of a leak where more than ten listen to a signal. */

interface Waiting {
	readonly tells: Set<() => void>;
	readonly listener: () => void;
}

const waitingFor = new WeakMap<AbortSignal, Waiting>();

function listen(signal: AbortSignal): Waiting {
	const tells = new Set<() => void>();
	const listener = () => {
		waitingFor.delete(signal);
		for (const tell of tells) tell();
	};
	signal.addEventListener("abort", listener, { once: true });
	return { tells, listener };
}

/** Has `tell` called once when the signal is aborted; returns how not to be told. */
export function whenAborted(signal: AbortSignal, tell: () => void): () => void {
	const waiting = waitingFor.get(signal) ?? listen(signal);
	waitingFor.set(signal, waiting);
	const { tells, listener } = waiting;
	// Of its own, so that who asks twice can forget once.
	const own = () => tell();
	tells.add(own);
	return () => {
		if (!tells.delete(own) || tells.size > 0) return;
		signal.removeEventListener("abort", listener);
		waitingFor.delete(signal);
	};
}
