/** The parts of a console's instances, wired to each other. */
import { join } from 'node:path';

import type { Instance, InstanceHealth } from '#shared/model/instance.ts';

import type { GatewayParts, RunningParts } from '#core/app/gateway.ts';
import type { Ports } from '#core/base/ports.ts';
import type { ProcessIdentity } from '#core/store/process-identity.ts';
import { createBuiltins } from './builtins.ts';
import { fileListsOf } from './file-lists.ts';
import { createForwarderControl, type ForwarderControl } from './forwarder-control.ts';
import type { OpenedInstances } from './open.ts';
import { startRecorder, type Recorder } from './recorder.ts';
import { openSigningKeys } from './signing-keys.ts';
import { putProcess } from './state-rows.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';
import { createTraffic, type Traffic } from './traffic.ts';
import type { InstanceStore } from './types.ts';

export interface ConsoleOptions extends Pick<GatewayParts, 'ports' | 'database'>, RunningParts {
	readonly opened: OpenedInstances;
}

export interface ConsoleParts {
	readonly traffic: Traffic;
	readonly recorder: Recorder;
	readonly control: ForwarderControl;
	readonly supervisor: Supervisor;
	readonly healthOf: (id: string) => InstanceHealth;
}

/** Milliseconds of real time that programs may take to end. */
const patienceMs = 1500;

/** `direct` decides again what the forwarding server is to do. */
export function makeParts(options: ConsoleOptions, direct: () => void): ConsoleParts {
	const { clock } = options.ports;
	// They know each other: each is asked for only after all are there.
	const parts: ConsoleParts = {
		traffic: makeTraffic(options.opened.store, options.ports),
		recorder: makeRecorder(options, () => parts),
		control: makeControl(options, () => parts),
		supervisor: makeSupervisor(options, () => parts, direct),
		healthOf: (id) => parts.supervisor.health(id) ?? unknownHealth(clock.now()),
	};
	return parts;
}

function makeTraffic(store: InstanceStore, { clock }: Ports): Traffic {
	const find = (wanted: (instance: Instance) => boolean): Instance | undefined =>
		store.snapshot().instances.find(wanted);
	return createTraffic({
		clock,
		idOf: (name) => find((instance) => instance.name === name)?.id,
		nameOf: (id) => find((instance) => instance.id === id)?.name,
	});
}

type Parts = () => ConsoleParts;

function makeRecorder({ opened, database, ports, onEvent, onTrouble }: ConsoleOptions, parts: Parts): Recorder {
	return startRecorder({
		database,
		clock: ports.clock,
		ids: () => opened.store.snapshot().instances.map(({ id }) => id),
		serverOf: () => parts().control.state(),
		newsOf: () => parts().supervisor.news(),
		factsOf: (id) => factsOf(parts(), id),
		onEvent,
		onTrouble,
	});
}

function factsOf({ supervisor, traffic, healthOf }: ConsoleParts, id: string) {
	return {
		health: healthOf(id),
		traffic: traffic.of(id),
		isOpen: supervisor.isOpen(id) ?? null,
		openPort: supervisor.openPort(id) ?? null,
		list: supervisor.listStatus(id),
	};
}

function makeControl({ ports, onTrouble }: ConsoleOptions, parts: Parts): ForwarderControl {
	return createForwarderControl({
		clock: ports.clock,
		onState: (state) => parts().recorder.server(state),
		onTraffic: (batch) => {
			const { recorder, traffic } = parts();
			recorder.traffic(traffic.add(batch));
		},
		onCounters: (counters) => {
			const { recorder, traffic } = parts();
			if (traffic.setCounters(counters)) recorder.traffic();
		},
		onTrouble,
	});
}

function makeSupervisor(options: ConsoleOptions, parts: Parts, direct: () => void): Supervisor {
	const { ports, connections, desk, onTrouble } = options;
	const { clock, profile, programEnvironment } = ports;
	return createSupervisor({
		clock,
		environment: programEnvironment ?? {},
		builtins: createBuiltins({
			folder: join(profile, 'lists'),
			...{ clock, desk, fetchFileList: fileListsOf(connections), signingKey: openSigningKeys(ports.secrets).read },
		}),
		onHealth: (id, health) => {
			parts().recorder.health(id, health);
			direct();
		},
		onProcess: (id, identity) => recordProcess(options, id, identity),
		onOutput: (...output) => parts().recorder.output(...output),
		onTrouble,
		patienceMs,
		ownPort: () => parts().control.state().listen?.port,
	});
}

function recordProcess(
	{ database, onTrouble }: ConsoleOptions,
	id: string,
	identity: ProcessIdentity | undefined,
): void {
	try {
		putProcess(database, id, identity);
	} catch (error) {
		onTrouble('A program that runs could not be written down.', error);
	}
}

/** Between its being stored and the first look at it. */
function unknownHealth(now: number): InstanceHealth {
	return {
		state: 'starting',
		reason: 'It was stored a moment ago.',
		since: new Date(now).toISOString(),
		checkedAt: null,
	};
}
