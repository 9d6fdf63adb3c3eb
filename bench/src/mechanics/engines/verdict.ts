/** What the table says of the targets: speed against Siconos, errors against all, and how far the game engines are ahead. */
import type { EngineRow } from "./rows.js";

const OURS = "stickslip";
const GAME_ENGINES: readonly string[] = ["rapier", "jolt", "mujoco"];
/** Times as fast as Siconos. */
const FASTER = 5;
/** Errors below this share of the smallest body, a micrometre where it is 0.1 m wide, are none: solves to the tolerance leave about as much. */
const RESOLUTION = 1e-5;
const ERRORS = ["deepest", "depth", "creep", "lift", "energy"] as const;

export function verdict(rows: readonly EngineRow[]): string[] {
	const scenes = [...new Set(rows.map(({ scene }) => scene))];
	return scenes.flatMap((scene) => {
		const own = rows.find((row) => row.scene === scene && row.engine === OURS);
		const others = rows.filter((row) => row.scene === scene && row.engine !== OURS);
		if (own === undefined || own.ms === "" || others.length === 0) return [];
		const lost = others.filter(({ ms }) => ms === "").map(({ engine, ended }) => `${engine}: ${ended}`);
		const able = others.filter(({ ms }) => ms !== "");
		return [...speed(own, able), ...lost, ...errors(own, able)].map((line) => `${scene}: ${line}`);
	});
}

function speed(own: EngineRow, others: readonly EngineRow[]): string[] {
	const ratio = ({ ms }: EngineRow) => Number(ms) / Number(own.ms);
	const siconos = others.filter(({ engine }) => engine === "siconos");
	const games = others.filter(({ engine }) => GAME_ENGINES.includes(engine));
	return [
		...siconos.map((row) => {
			const times = ratio(row);
			return `${times.toPrecision(2)} times as fast as siconos, at least ${FASTER} wanted: ${times >= FASTER ? "held" : "NOT HELD"}`;
		}),
		...(games.length === 0
			? []
			: [
					`time of a step, stickslip = 1: ${games.map((row) => `${row.engine} ${ratio(row).toPrecision(2)}`).join(", ")}`,
				]),
	];
}

function errors(own: EngineRow, others: readonly EngineRow[]): string[] {
	return ERRORS.filter((name) => own[name] !== "").map((name) => {
		const value = Number(own[name]);
		const less = others.filter((row) => row[name] !== "" && Number(row[name]) < value);
		if (value <= RESOLUTION || less.length === 0) return `${name} ${own[name]}: at most that of the others`;
		return `${name} ${own[name]}: LARGER than of ${less.map((row) => `${row.engine} (${row[name]})`).join(", ")}`;
	});
}
