/** What is typed into the field that asks the service: pure. The service answers a mistake like something it never saw. */
import { readIndicator, type IndicatorKind } from '#shared/model/indicator.ts';

/** What to ask for, in the form in which the service looks for it, or why it would find nothing. */
export type Judged =
	| { readonly ask: string; readonly problem: null }
	| { readonly ask: null; readonly problem: string };

const finds = 'The service looks for an IPv4 address, a SHA-256, a URL or a file name.';

/** Nothing typed asks for everything; `user:` and a name for what that user did (API reference, 4.5 and 4.6). */
export function judgeQuery(typed: string): Judged {
	const text = typed.trim();
	if (text === '') return asked('');
	const user = /^user:(.*)$/is.exec(text)?.[1]?.trim();
	if (user === '') return refused('Write the name after “user:”, such as user:j.doe.');
	if (user !== undefined) return asked(`user:${user}`);
	const slip = slipOf(text);
	if (slip !== null) return refused(slip);
	const found = readIndicator(text);
	if (found === null) return refused(`There is nothing to look for in “${text}”. ${finds}`);
	const never = neverFound[found.kind];
	if (never !== undefined) return refused(`${never} ${finds}`);
	if (found.kind === 'user') return refused(`For what a user did, write user:${nameOf(found.value)}`);
	return asked(found.value);
}

/** What an answer without any event may come from; `null` when nothing is to be said. */
export function doubtOf(query: string): string | null {
	if (/^user:/i.test(query)) return 'A user is found by the whole name, as the events write it.';
	const kind = readIndicator(query)?.kind;
	if (kind === 'name' || kind === 'text' || kind === 'file')
		return `It was looked for as the whole name of a file. For what a user did, write user:${query}`;
	return null;
}

const neverFound: Readonly<Partial<Record<IndicatorKind, string>>> = {
	sha1: 'This is a SHA-1.',
	md5: 'This is an MD5.',
	network: 'This is a network, not one address.',
	ipv6: 'This is an IPv6 address.',
	mac: 'This is a MAC address.',
	guid: 'This is a GUID.',
};

/** An address or a hash that something is wrong with. */
function slipOf(text: string): string | null {
	const dotted = /^\d+(?:\.\d+)+\.?$/.test(text);
	if (dotted && readIndicator(text)?.kind !== 'ip')
		return `“${text}” is no IPv4 address: that is four numbers from 0 to 255.`;
	const isHash = /^[\da-f]{24,}$/i.test(text) || /^[\da-z]{62,66}$/i.test(text);
	if (!isHash || [32, 40].includes(text.length) || /^[\da-f]{64}$/i.test(text)) return null;
	return `This is no SHA-256: that is 64 digits from 0 to 9 and a to f, and this has ${text.length}${text.length === 64 ? ' with others' : ''}.`;
}

/** `CORP\jdoe` and `jdoe@host` are the user `jdoe` to the service. */
function nameOf(user: string): string {
	return user.replace(/^.*\\/, '').replace(/@.*$/, '');
}

function asked(ask: string): Judged {
	return { ask, problem: null };
}

function refused(problem: string): Judged {
	return { ask: null, problem };
}
