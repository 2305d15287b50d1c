/** Ready texts to copy: addresses of an instance, and what firewalls need to fetch a list from it. No secret is part of any. */
import type { ForwarderStatus, InstanceRow, Recipe } from '#shared/contract/instances.ts';

import { authorityFile, sentences, type RecipeFacts } from './recipe-facts.ts';
import { firewallRecipes } from './recipes-firewalls.ts';

export function recipesOf(row: InstanceRow, server: ForwarderStatus): readonly Recipe[] {
	const { program } = row.instance;
	const origin = originOf(server);
	const route = strictly(row.route);
	const facts: RecipeFacts = {
		row,
		server,
		url: `${origin}${route}`,
		problem: routeProblem(row, server),
		list: program.kind === 'builtin' && program.builtin.service === 'list' ? program.builtin : null,
	};
	return [
		{ kind: 'route', title: 'Route', text: facts.url, note: facts.problem },
		{ kind: 'route_v8', title: 'Route, form of version 8', text: `${origin}/xsoar${route}`, note: facts.problem },
		direct(row),
		curl(facts),
		...taxii(facts),
		...firewallRecipes(facts),
	];
}

function originOf({ origins, settings }: ForwarderStatus): string {
	const [best] = origins;
	if (best !== undefined) return best;
	const [name = 'localhost'] = settings.hostnames;
	return `https://${name}${settings.listen.port === 443 ? '' : `:${settings.listen.port}`}`;
}

/** Some characters that are allowed in a path mean something to a shell or a firewall's command line. */
function strictly(path: string): string {
	return path.replaceAll(/[^A-Za-z0-9/%._~-]/g, (text) =>
		[...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
	);
}

function routeProblem({ exposure, instance }: InstanceRow, server: ForwarderStatus): string | null {
	if (server.state !== 'running') return 'The forwarding server does not run: nothing answers at this address now.';
	if (!server.hasRoute) return `Platform version ${server.settings.platformVersion} has no route: the answer is 404.`;
	if (!exposure.exposed) return 'The instance is not exposed: the answer is 404 until it is.';
	return instance.enabled ? null : 'The instance is disabled: the answer is 503.';
}

function direct({ instance, direct: address }: InstanceRow): Recipe {
	const host = instance.host.includes(':') ? `[${instance.host}]` : instance.host;
	return {
		kind: 'direct',
		title: 'Direct, without the route',
		text: address ?? `http://${host}:${instance.listenPort}`,
		note:
			address === null
				? 'Only from this computer: the instance listens on loopback. Open its port to reach it from others.'
				: 'Plain HTTP, without the access control of the route.',
	};
}

function curl({ row, server, url, problem }: RecipeFacts): Recipe {
	const { argument, note } = curlAccess(row);
	const local = server.certificate?.kind !== 'imported';
	const words = ['curl', '--fail', ...(local ? ['--cacert', authorityFile] : []), ...argument, shellWord(url)];
	const hint = local ? `Export the authority's certificate as ${authorityFile} first.` : null;
	return { kind: 'curl', title: 'curl', text: words.join(' '), note: sentences(problem, note, hint) };
}

function taxii({ row: { instance }, url, problem }: RecipeFacts): readonly Recipe[] {
	const { program } = instance;
	if (program.kind !== 'builtin' || program.builtin.service !== 'indicators') return [];
	return [{ kind: 'taxii', title: 'TAXII 2.1 discovery', text: `${url}/taxii2/`, note: problem }];
}

/** Placeholders where a secret belongs. */
function curlAccess({ instance: { access, secrets } }: InstanceRow): {
	readonly argument: readonly string[];
	readonly note: string | null;
} {
	switch (access.kind) {
		case 'none':
			return { argument: [], note: null };
		case 'basic':
			return { argument: ['--user', shellWord(secrets.users[0] ?? 'USER')], note: 'curl asks for the password.' };
		case 'bearer': {
			const scheme = access.header.toLowerCase() === 'authorization' ? 'Bearer ' : '';
			return { argument: ['--header', `"${access.header}: ${scheme}$TOKEN"`], note: 'Put the token into TOKEN first.' };
		}
		case 'certificate':
			return { argument: ['--cert', 'client.pem', '--key', 'client.key'], note: 'Needs a client certificate.' };
		case 'hmac':
			return { argument: [], note: 'Each body must be signed by the sender: without a signature the answer is 401.' };
		default:
			return access satisfies never;
	}
}

/** For POSIX shells. */
function shellWord(text: string): string {
	return /^[A-Za-z0-9%+,./:=@_-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
