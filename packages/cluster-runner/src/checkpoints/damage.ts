/** The error for a damaged checkpoint, which is a reason to use the previous one and never a reason to fail. */
export class Damage extends Error {
	override readonly name = "Damage";

	/** The same for a file in the checkpoint's folder. */
	of(name: string): Damage {
		return new Damage(`${name} ${this.message}`);
	}
}
