/** What a file of `cordon forward` asks of the forwarding server and of the instances. Pure but for the names of this computer. */
import type { Instance, InstanceState } from '#shared/model/instance.ts';
import { readParameters } from '#shared/model/server-parameter.ts';

import { machineNames } from '../forwarder/tls/names.ts';
import { isPublicPem } from '../forwarder/tls/public.ts';
import type { ForwarderConfig, Listen } from '../forwarder/types.ts';
import type { FileInstance, ForwardFile } from './config-file/types.ts';
import { configOf, forwardedOf } from './forwarder-config.ts';

export type Wanted = Omit<ForwardFile, 'warnings'>;

export function configOfFile(file: Wanted, stateOf: (name: string) => InstanceState): ForwarderConfig {
	const { parameters, instances, listen } = file;
	const { trustedProxies, platformVersion } = readParameters(parameters, []).settings;
	return configOf({
		parameters,
		instances: instances.map((one) => forwardedOf(storedOf(one), stateOf(one.definition.name), one.access)),
		settings: {
			hostnames: namesOf(file),
			trustedProxies: [...listen.trustedProxies, ...trustedProxies],
			platformVersion,
		},
		own: machineNames(),
		limits: listen.limits,
		isPublic: listen.credentials !== null && isPublicPem(listen.credentials.certificate),
	});
}

/** `isFixed`: the port was said, so that no other is taken instead. */
export function wantedListen({ listen, parameters }: Wanted): { readonly listen: Listen; readonly isFixed: boolean } {
	const { settings } = readParameters(parameters, []);
	const isWide = listen.lan || settings.lan;
	const host = listen.host ?? (isWide ? '::' : settings.listen.host);
	return { listen: { host, port: listen.port ?? settings.listen.port }, isFixed: listen.port !== null };
}

export function namesOf({ listen, parameters }: Wanted): readonly string[] {
	return [...listen.hostnames, ...readParameters(parameters, []).settings.hostnames];
}

/** Without a database the name is what an instance is known by. */
export function storedOf({ definition }: FileInstance): Instance {
	return {
		...definition,
		id: definition.name,
		aliases: [],
		secrets: { users: [], tokens: 0, signingKey: false },
		createdAt: '',
		revision: 0,
	};
}
