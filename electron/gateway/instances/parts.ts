import type { Surface } from '#shared/model/incident.ts';

import type { NewEntry } from '#core/record/incidents/types.ts';
import type { Clock, SecretStore } from '#core/base/ports.ts';
import type { Database } from '#core/store/database.ts';

/** Makes verifiers of secrets. */
export interface Hashers {
	/** An scrypt string. */
	password(plain: string): Promise<string>;
	/** SHA-256, hex. */
	token(plain: string): string;
}

export interface StoreOptions {
	/** `profile.db`. */
	readonly database: Database;
	readonly secrets: SecretStore;
	readonly clock: Clock;
	random(bytes: number): Uint8Array;
	/** Takes the entries about changes. */
	readonly log: (entry: NewEntry) => void;
	/** Who changes instances here. */
	readonly surface: Surface;
	readonly hashers: Hashers;
	/** Whether nothing listens on the port of this address. */
	readonly isFree: (host: string, port: number) => Promise<boolean>;
}

/** What a change of an instance works with. */
export interface StoreParts extends StoreOptions {
	readonly changed: () => void;
}
