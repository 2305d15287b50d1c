/** How the firewalls that read lists are told of one. Limits and options: route description, 5.1. */
import type { Recipe } from '#shared/contract/instances.ts';
import type { ListService } from '#shared/model/instance.ts';

import { authorityFile, sentences, type RecipeFacts } from './recipe-facts.ts';

interface ListFacts extends RecipeFacts {
	readonly list: ListService;
}

/** Only for lists, and only for products that know such lists. */
export function firewallRecipes({ list, ...facts }: RecipeFacts): readonly Recipe[] {
	if (list === null) return [];
	return [panos, fortigate, fmc, checkpoint].flatMap((recipe) => recipe({ ...facts, list }) ?? []);
}

/** Firewalls send a user name and a password, nothing else. */
function basicOnly({ row }: ListFacts): string | null {
	const { kind } = row.instance.access;
	return kind === 'none' || kind === 'basic' ? null : `It cannot pass the access control of this instance (${kind}).`;
}

function userOf({ row }: ListFacts): string | null {
	const { access, secrets } = row.instance;
	return access.kind === 'basic' ? (secrets.users[0] ?? 'USER') : null;
}

/** A name that every product takes: letters, digits, `_` and `-`. */
function objectName({ row }: ListFacts): string {
	const plain = row.instance.name.normalize('NFKD').replaceAll(/[^A-Za-z0-9_-]+/g, '-');
	return `cordon-${plain.replace(/^-+|-+$/g, '') || 'list'}`.slice(0, 31);
}

/** In the double quotes of a firewall's command line. */
function quoted(text: string): string {
	return `"${text.replaceAll(/[\\"]/g, '\\$&')}"`;
}

const panosIntervals = [
	[3600, 'five-minute'],
	[86_400, 'hourly'],
] as const;

function panos(facts: ListFacts): Recipe | null {
	const { list, url, problem } = facts;
	if (list.type === 'sha256') return null;
	const begin = `set external-list ${objectName(facts)} type ${list.type}`;
	const often = panosIntervals.find(([below]) => list.refreshS < below)?.[1];
	const user = userOf(facts);
	const lines = [
		`${begin} url ${quoted(`${url}/panos/${list.type}`)}`,
		`${begin} recurring ${often ?? 'daily at 03'}`,
		`${begin} certificate-profile cordon`,
		...(user === null ? [] : [`${begin} auth username ${quoted(user)}`, `${begin} auth password PASSWORD`]),
	];
	const profile = `Import ${authorityFile} and make a certificate profile "cordon" with it: without one PAN-OS takes no HTTPS list.`;
	const note = sentences(
		problem,
		basicOnly(facts),
		profile,
		'When authentication fails, PAN-OS stops enforcing the list.',
	);
	return { kind: 'panos', title: 'PAN-OS', text: lines.join('\n'), note };
}

const fortigateTypes = { ip: 'address', domain: 'domain', url: 'category', sha256: 'malware' } as const;

function fortigate(facts: ListFacts): Recipe {
	const { list, url, problem } = facts;
	const type = fortigateTypes[list.type];
	const user = userOf(facts);
	const categorised = type === 'domain' || type === 'category';
	const lines = [
		'config system external-resource',
		`    edit ${quoted(objectName(facts))}`,
		`        set type ${type}`,
		...(categorised ? ['        set category 192'] : []),
		`        set resource ${quoted(`${url}/fortigate/${list.type}`)}`,
		...(user === null ? [] : [`        set username ${quoted(user)}`, '        set password PASSWORD']),
		`        set refresh-rate ${minutes(list, 43_200)}`,
		'        set server-identity-check full',
		'    next',
		'end',
	];
	const category = categorised ? 'Any free category from 192 to 221 will do.' : null;
	const note = sentences(problem, basicOnly(facts), `Import ${authorityFile} as a CA certificate first.`, category);
	return { kind: 'fortigate', title: 'FortiGate', text: lines.join('\n'), note };
}

function minutes(list: ListService, most: number): number {
	return Math.min(most, Math.max(1, Math.ceil(list.refreshS / 60)));
}

const fmcTypes = { ip: 'Network Lists and Feeds', domain: 'DNS Lists and Feeds', url: 'URL Lists and Feeds' } as const;

/** The intervals that the management center offers, in minutes. */
const fmcIntervals = [5, 10, 15, 30, 60, 120, 240, 480, 720, 1440] as const;

function fmc(facts: ListFacts): Recipe | null {
	const { list, url, problem, row } = facts;
	if (list.type === 'sha256') return null;
	const path = `${url}/cisco/${list.type === 'domain' ? 'dns' : list.type}`;
	const interval = fmcIntervals.find((offered) => offered >= minutes(list, 1440)) ?? 1440;
	const lines = [
		`Objects > Object Management > Security Intelligence > ${fmcTypes[list.type]} > Add`,
		`Name: ${objectName(facts)}`,
		'Type: Feed',
		`Feed URL: ${path}`,
		// Without it nothing below an hour is taken.
		...(interval <= 30 ? [`MD5 URL: ${path}.md5`] : []),
		`Update Frequency: ${interval} minutes`,
	];
	const credentials =
		row.instance.access.kind === 'none'
			? null
			: 'It has no field for credentials: let it in by its address instead of by this access control.';
	const note = sentences(problem, credentials, `It must trust the authority of ${authorityFile}.`);
	return { kind: 'fmc', title: 'Cisco Secure Firewall Management Center', text: lines.join('\n'), note };
}

const checkpointTypes = { ip: 'ip', domain: 'domain', url: 'url', sha256: 'sha256' } as const;

function checkpoint(facts: ListFacts): Recipe {
	const { list, url, problem } = facts;
	const user = userOf(facts);
	const words = [
		'ioc_feeds add',
		`--feed_name ${objectName(facts)}`,
		'--transport https',
		`--resource ${quoted(`${url}/plain`)}`,
		`--format "[type:${checkpointTypes[list.type]},value:#1]"`,
		'--comment "[#]"',
		...(user === null ? [] : [`--user_name ${quoted(user)}`]),
	];
	const cut = list.type === 'ip' ? 'It knows IPv4 addresses and ranges, but neither networks nor IPv6.' : null;
	const check = 'Run it in expert mode on every gateway, and compare the options with "ioc_feeds -h" of its version.';
	const note = sentences(
		problem,
		basicOnly(facts),
		cut,
		check,
		`The gateway must trust the authority of ${authorityFile}.`,
	);
	return { kind: 'checkpoint', title: 'Check Point', text: words.join(' '), note };
}
