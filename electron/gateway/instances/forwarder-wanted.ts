import type { InstanceHealth } from '#shared/model/instance.ts';

import type { OpenedCertificates } from './certificates.ts';
import { accessRuleOf, configOf, forwardedOf } from './forwarder-config.ts';
import type { Wanted } from './forwarder-control.ts';
import type { OwnNames } from './origins.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { Snapshot, StoredInstance } from './types.ts';

export interface WantedParts {
	readonly snapshot: Snapshot;
	readonly healthOf: (id: string) => InstanceHealth;
	readonly keys: SigningKeys;
	readonly certificates: Pick<OpenedCertificates, 'authority'>;
	readonly own: OwnNames;
	/** Why nobody can use an instance although it is exposed, in a sentence; `null`: nothing of the kind. */
	readonly onProblem: (id: string, problem: string | null) => void;
}

/** What the forwarding server is to do; `undefined`: not to run. Rejects when there is no certificate to show. */
export async function wantedOf(parts: WantedParts): Promise<Wanted | undefined> {
	const { snapshot, own, certificates } = parts;
	const { stored, parameters, settings } = snapshot;
	if (!settings.enabled || stored.length === 0) return undefined;
	const instances = await Promise.all(stored.map((one) => forwarded(one, parts)));
	const authority = await certificates.authority();
	return {
		listen: { host: settings.lan ? '::' : settings.listen.host, port: settings.listen.port },
		config: configOf({ instances, parameters, settings, own, isPublic: authority.isPublic() }),
		credentials: authority.credentials(),
	};
}

async function forwarded({ instance, verifiers }: StoredInstance, { healthOf, keys, onProblem }: WantedParts) {
	const { id, name, access } = instance;
	const key = access.kind === 'hmac' ? await keys.read(id).catch(() => undefined) : undefined;
	const rule = accessRuleOf(instance, verifiers, key);
	onProblem(
		id,
		rule === null ? `The signing key of ${name} cannot be read here: the route answers 503. Enter it again.` : null,
	);
	return forwardedOf(instance, healthOf(id).state, rule);
}
