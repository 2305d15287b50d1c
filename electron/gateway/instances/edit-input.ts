/** What is made of the input of a change before anything is stored: checked, hashed, with a port. */
import { CordonError } from '#shared/contract/errors.ts';
import type { InstanceSecrets } from '#shared/model/instance.ts';
import { readParameters } from '#shared/model/server-parameter.ts';

import type { StoreParts } from './parts.ts';
import { listInstances, listParameters } from './rows.ts';
import type { Verifiers } from './types.ts';

/** Secrets are kept as hashes; those that were not given are left out. */
export async function verifiersOf(
	{ hashers }: StoreParts,
	{ users, tokens }: InstanceSecrets,
): Promise<Partial<Verifiers>> {
	if (users === undefined && tokens === undefined) return {};
	const { password, token } = hashers;
	const hashed = users?.map(async (user) => ({ name: user.name, verifier: await password(user.password) }));
	return {
		...(hashed !== undefined && { users: await Promise.all(hashed) }),
		...(tokens !== undefined && { tokens: tokens.map(token) }),
	};
}

/** Below the ports that the system gives to outgoing connections, so that nothing takes it while the instance stands. */
export async function freePort({ database, random, isFree }: StoreParts, host: string): Promise<number> {
	const own = readParameters(listParameters(database), []).settings.listen.port;
	for (let attempt = 0; attempt < 200; attempt += 1) {
		const [high = 0, low = 0] = random(2);
		const port = 20_000 + ((high * 256 + low) % 10_000);
		const taken = port === own || listInstances(database).some(({ instance }) => instance.listenPort === port);
		if (!taken && (await isFree(host, port))) return port;
	}
	throw new CordonError('taken', 'No free port was found between 20000 and 29999.', { field: 'listenPort' });
}

interface Schema<T> {
	safeParse(
		value: unknown,
	):
		| { readonly success: true; readonly data: T }
		| { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}
interface Issue {
	readonly path: readonly PropertyKey[];
	readonly message: string;
}

/** Throws `invalid_argument` with the field. */
export function parse<T>(schema: Schema<T>, value: unknown): T {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	const field = issue?.path.map(String).join('.') ?? '';
	throw new CordonError('invalid_argument', `${field} ${issue?.message ?? 'is not valid'}.`.trimStart(), { field });
}
