/** Removes fields that are undefined from a record of optional fields. */

export type WithoutUndefined<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

export function withoutUndefined<Fields extends object>(fields: Fields): WithoutUndefined<Fields> {
	return Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== undefined),
	) as WithoutUndefined<Fields>;
}
