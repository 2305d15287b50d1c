/** An attack story in words: pure. */
import type { AttackStory, StoryRole, StoryStep } from '#shared/attack-story.ts';
import { showUnseen } from '#shared/text/foreign.ts';

import type { Tone } from '../../ui/Tag.tsx';

export const roleLooks: Readonly<Record<StoryRole, { readonly word: string; readonly tone: Tone }>> = {
	document: { word: 'document', tone: 'accent' },
	program: { word: 'program', tone: 'plain' },
	shell: { word: 'shell', tone: 'warn' },
	payload: { word: 'payload', tone: 'bad' },
	address: { word: 'address', tone: 'hold' },
	detection: { word: 'detection', tone: 'bad' },
	stopped: { word: 'quarantined', tone: 'ok' },
	failed: { word: 'not stopped', tone: 'bad' },
};

/** Where it began, and how sure that is. */
export function originWords({ origin, fromOutside }: AttackStory): string {
	const { name, point, inferred } = origin;
	if (origin.role === 'address') return `Began with a connection: ${point.text}.`;
	if (fromOutside) return `Began with ${name}, which ${point.parentName ?? 'a program'} brought in.`;
	if (inferred) return `Began with ${name}, as the times suggest; no event names the link.`;
	return `${name} is the first that is known here; what brought it is not.`;
}

/** A timeline for a ticket or a wiki. */
export function storyMarkdown(story: AttackStory, hostname: string): string {
	const rows = story.steps.map(
		(step) => `| ${[step.point.at, roleLooks[step.role].word, textOf(step)].map(cell).join(' | ')} |`,
	);
	const mitre = story.mitre.length === 0 ? [] : [`MITRE ATT&CK: ${story.mitre.join(', ')}`, ''];
	const head = [`# Attack on ${cell(hostname)}`, '', cell(originWords(story)), '', ...mitre];
	return [...head, '| Time (UTC) | Step | Event |', '|-|-|-|', ...rows, ''].join('\n');
}

function textOf({ point, inferred }: StoryStep): string {
	return inferred ? `${point.text} (link inferred from the times)` : point.text;
}

function cell(text: string): string {
	return showUnseen(text).replace(/[\\`*_{}[\]<>#|!~]/g, '\\$&');
}
