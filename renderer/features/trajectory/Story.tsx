import {useMemo, useRef} from 'react'
import {Button as AriaButton} from 'react-aria-components'

import {type AttackStory, mainStory, storyOf, type StoryRole, type StoryStep} from '#shared/attack-story.ts'
import type {Trajectory} from '#contract/insight.ts'
import {shortHash} from '#model/file-hash.ts'
import {showUnseen} from '#text/foreign.ts'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Button, writeClipboard} from '#ui/Button.tsx'
import {Tag, type Tone} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {badness} from './looks.ts'
import styles from './Story.module.css'
import {t} from './text.ts'

interface StoryProps {
	story: AttackStory
	hostname: string
	selected: number | null
	onShow: (index: number) => void
}

export function Story({story, hostname, selected, onShow}: StoryProps) {
	const announce = useAnnounce()
	const copy = async () => {
		const done = await writeClipboard(storyMarkdown(story, hostname))
		announce(done ? t.timelineCopied : t.timelineNotCopied)
	}
	return (
		<section className={styles.story} aria-label={t.attackStory}>
			<div className={styles.head}>
				<h2 className={styles.title}>{t.attackStory}</h2>
				<span className="fact">{originWords(story)}</span>
				{story.mitre.map(id => (
					<Tag key={id}>{id}</Tag>
				))}

				<span className="cluster">
					<Button small onPress={() => onShow(story.origin.point.index)}>
						{t.showOrigin}
					</Button>
					<Button small onPress={() => void copy()}>
						{t.copyTimeline}
					</Button>
				</span>
			</div>
			<ol className={styles.steps}>
				{story.steps.map(({point, role, name, inferred}) => (
					<li key={point.index}>
						<AriaButton
							className={styles.step ?? ''}
							data-current={point.index === selected}
							data-inferred={inferred}
							onPress={() => onShow(point.index)}
						>
							<span>
								<Tag tone={roleLooks[role].tone}>{roleLooks[role].word}</Tag>{' '}
								{point.sha256 !== null && <small title={point.sha256}>{shortHash(point.sha256)}</small>}
							</span>
							<span className={styles.name} title={point.text}>
								{name}
							</span>
							<Time at={point.at} form="exact" />
						</AriaButton>
					</li>
				))}
			</ol>
		</section>
	)
}

/** Of the event at the cursor, otherwise the one that tells most. A step leaves its story as it is. */
export function useStory(trajectory: Trajectory, selected: number | null) {
	const main = useMemo(() => mainStory(trajectory), [trajectory])
	const shown = useRef<AttackStory>(undefined)
	return useMemo(() => {
		const at = selected === null ? undefined : trajectory.points[selected]
		if (at !== undefined && shown.current?.steps.some(({point}) => point === at) === true) return shown.current
		const found = (at === undefined || badness(at) < 2 ? undefined : storyOf(trajectory, at)) ?? main
		shown.current = found
		return found === undefined || found.steps.length < 2 ? null : found
	}, [trajectory, selected, main])
}

const roleLooks: Readonly<Record<StoryRole, {word: string; tone: Tone}>> = {
	document: {word: 'document', tone: 'accent'},
	program: {word: 'program', tone: 'plain'},
	shell: {word: 'shell', tone: 'warn'},
	payload: {word: 'payload', tone: 'bad'},
	address: {word: 'address', tone: 'hold'},
	detection: {word: 'detection', tone: 'bad'},
	stopped: {word: 'quarantined', tone: 'ok'},
	failed: {word: 'not stopped', tone: 'bad'}
}

function originWords({origin, fromOutside}: AttackStory) {
	const {name, point, inferred} = origin
	if (origin.role === 'address') return `Began with a connection: ${point.text}.`
	if (fromOutside) return `Began with ${name}, which ${point.parentName ?? 'a program'} brought in.`
	if (inferred) return `Began with ${name}, as the times suggest; no event names the link.`
	return `${name} is the first that is known here; what brought it is not.`
}

function storyMarkdown(story: AttackStory, hostname: string) {
	const rows = story.steps.map(
		step => `| ${[step.point.at, roleLooks[step.role].word, textOf(step), step.point.sha256 ?? ''].map(cell).join(' | ')} |`
	)
	const mitre = story.mitre.length === 0 ? [] : [`MITRE ATT&CK: ${story.mitre.join(', ')}`, '']
	const head = [`# Attack on ${cell(hostname)}`, '', cell(originWords(story)), '', ...mitre]
	return [...head, '| Time (UTC) | Step | Event | SHA-256 |', '|-|-|-|-|', ...rows, ''].join('\n')
}

function textOf({point, inferred}: StoryStep) {
	return inferred ? `${point.text} (link inferred from the times)` : point.text
}

function cell(text: string) {
	return showUnseen(text).replace(/[\\`*_{}[\]<>#|!~]/g, '\\$&')
}
