/** Removes fields that are undefined from a record of optional fields. */

export type OnlyGiven<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

export function onlyGiven<Fields extends object>(fields: Fields): OnlyGiven<Fields> {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as OnlyGiven<Fields>;
}
