/** Instances as tables and lines for a terminal. */
import { cellText, type ResultTable } from '#shared/commands/table.ts';
import type { InstanceDetail, InstanceRow, ProbeResult, RequestEntry } from '#shared/contract/instances.ts';
import { counted } from '#shared/text/numbers.ts';

import { recordText, tableText } from './terminal-table.ts';

export function listText(rows: readonly InstanceRow[]): ResultTable {
	return {
		columns: ['Name', 'State', 'Port', 'Exposed', 'Access', 'Requests/s', 'Failures', 'Last request', 'Why'],
		rows: rows.map(({ instance, health, exposure, traffic }) =>
			[
				instance.name,
				health.state,
				instance.listenPort,
				exposure.exposed ? 'yes' : 'no',
				instance.access.kind,
				traffic.requestsPerSecond,
				traffic.failures,
				traffic.lastRequest,
				health.reason,
			].map(cellText),
		),
	};
}

/** One instance: what it is, where it is reached, what deserves a look. */
export function instanceText(detail: InstanceDetail, width: number | null): string {
	const { row, history, recipes, list } = detail;
	const fields = [...fieldsOf(row), ...listFields(list)];
	const record = recordText(
		{ columns: fields.map(([title]) => title), rows: [fields.map(([, value]) => cellText(value))] },
		width,
	);
	const warnings = row.warnings.map((warning) => `Note: ${warning}`);
	const ready = recipes.map(
		({ title, text, note }) => `${title}${note === null ? '' : ` (${note})`}\n${indented(text)}`,
	);
	const changes =
		history.length === 0
			? []
			: [
					tableText(
						{
							columns: ['Since', 'State', 'Why'],
							rows: history.map(({ at, state, reason }) => [at, state, cellText(reason)]),
						},
						width,
					),
				];
	return [record, ...(warnings.length === 0 ? [] : [warnings.join('\n')]), ...ready, ...changes].join('\n\n');
}

function fieldsOf({ instance, health, exposure, route, direct }: InstanceRow): readonly (readonly [string, unknown])[] {
	const { secrets, program, timeouts, limits } = instance;
	return [
		['Name', instance.name],
		['State', health.reason === null ? health.state : `${health.state}: ${health.reason}`],
		['Listens at', `${instance.host}:${instance.listenPort}`],
		['Program', program.kind === 'managed' ? program.command.join(' ') : program.kind],
		['Route', route],
		['Exposed', `${exposure.exposed ? 'yes' : 'no'} (${exposure.key ?? 'no key is set'})`],
		['Direct', direct ?? 'this computer only'],
		['Access', accessText(instance.access.kind, secrets)],
		['Allowed', instance.allow.length === 0 ? 'every address' : instance.allow],
		['Methods', instance.methods ?? 'all'],
		['First byte within', timeouts.firstByteS === 0 ? 'no limit' : `${timeouts.firstByteS} s`],
		['At once', limits.concurrency === 0 ? 'no limit' : limits.concurrency],
		['Older names', instance.aliases],
	];
}

function listFields(list: InstanceDetail['list']): readonly (readonly [string, unknown])[] {
	if (list === null) return [];
	const { entries, dropped, builtAt, problem, heldBack } = list;
	const held = heldBack === null ? [] : [['Held back', `${heldBack.entries} values, since ${heldBack.at}`] as const];
	return [
		['List', builtAt === null ? 'none yet' : `${entries} values of ${builtAt}, ${dropped} dropped`],
		...(problem === null ? [] : [['Problem', problem] as const]),
		...held,
	];
}

function accessText(kind: string, { users, tokens, signingKey }: InstanceRow['instance']['secrets']): string {
	if (kind === 'basic') return `basic: ${users.join(', ')}`;
	if (kind === 'bearer') return `bearer: ${counted(tokens, ['token', 'tokens'])}`;
	return kind === 'hmac' ? `hmac${signingKey ? '' : ', without a key'}` : kind;
}

function indented(text: string): string {
	return text
		.split('\n')
		.map((line) => `  ${line}`)
		.join('\n');
}

export function requestsText(entries: readonly RequestEntry[]): ResultTable {
	return {
		columns: ['Time', 'Instance', 'Status', 'Method', 'Path', 'Client', 'Sent', 'First byte ms', 'Ended by', 'Reason'],
		rows: entries.map((entry) =>
			[
				entry.at,
				entry.instance,
				entry.status,
				entry.method,
				entry.path,
				entry.client,
				entry.sent,
				entry.phases.firstByte === null ? null : Math.round(entry.phases.firstByte * 10) / 10,
				entry.endedBy,
				entry.reason,
			].map(cellText),
		),
	};
}

const outcomeWord: Readonly<Record<ProbeResult['outcome'], string>> = {
	ok: '✓ ok',
	warning: '! warning',
	failed: '✗ failed',
	skipped: '– skipped',
};

const stageTitle: Readonly<Record<ProbeResult['stage'], string>> = {
	server: 'Server',
	exposed: 'Exposed',
	tcp: 'Connection',
	tls: 'TLS',
	access: 'Access',
	instance: 'Instance',
	answer: 'Answer',
};

export function probeLine({ stage, outcome, message, durationMs }: ProbeResult): string {
	const took = durationMs === null ? '' : ` (${Math.round(durationMs)} ms)`;
	return `${outcomeWord[outcome].padEnd(10)} ${stageTitle[stage].padEnd(11)} ${message}${took}`;
}
