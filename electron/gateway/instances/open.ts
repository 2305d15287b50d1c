/** What lies in the profile of instances; loaded when it is first asked for, as few commands need it. */
import { join } from 'node:path';

import { hashPassword, hashToken } from '../forwarder/access/password.ts';
import { machineNames } from '../forwarder/tls/names.ts';
import type { GatewayParts, Instances } from '#core/app/gateway.ts';
import { openCertificates, type OpenedCertificates } from './certificates.ts';
import { viewInstances } from './instances.ts';
import { isFree } from './listening.ts';
import { recordedRuntime } from './recorded.ts';
import { openInstanceStore } from './store.ts';
import type { InstanceStore } from './types.ts';

export interface OpenedInstances {
	readonly store: InstanceStore;
	readonly certificates: OpenedCertificates;
	/** As a process sees them that runs none: states are those which the console recorded. */
	readonly instances: Instances;
	stop(): Promise<void>;
}

export function openInstances({ ports, database, log }: GatewayParts): OpenedInstances {
	const { secrets, clock, random, host, profile } = ports;
	const store = openInstanceStore({
		database,
		secrets,
		clock,
		random,
		surface: host === 'cli' ? 'cli' : 'screen',
		log,
		hashers: { password: hashPassword, token: hashToken },
		isFree,
	});
	const certificates = openCertificates({ folder: join(profile, 'forwarder'), clock, random, store });
	const runtime = recordedRuntime(database, clock);
	const instances = viewInstances({ store, runtime, certificates, clock, ownNames: machineNames });
	const stop = async (): Promise<void> => {
		store.stop();
		await certificates.stop();
	};
	return { store, certificates, instances, stop };
}
