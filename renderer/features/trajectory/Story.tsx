import { useMemo } from 'react';
import { Button as AriaButton } from 'react-aria-components';

import { storyOf, type AttackStory } from '#shared/attack-story.ts';
import type { Trajectory, TrajectoryPoint } from '#shared/contract/sight.ts';

import { useAnnounce } from '../../ui/Announcer.tsx';
import { Button } from '../../ui/Button.tsx';
import { writeClipboard } from '../../ui/CopyButton.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { badness } from './looks.ts';
import { originWords, roleLooks, storyMarkdown } from './story-text.ts';
import styles from './Story.module.css';
import { t } from './text.ts';

interface StoryProps {
	readonly trajectory: Trajectory;
	readonly selected: number | null;
	readonly onShow: (index: number) => void;
}

/** How the attack came to be, step by step: of the event at the cursor, else of the newest detection. */
export function Story({ trajectory, selected, onShow }: StoryProps) {
	const announce = useAnnounce();
	const story = useStory(trajectory, selected);
	if (story === null) return null;
	const copy = async () => {
		const done = await writeClipboard(storyMarkdown(story, trajectory.hostname));
		announce(done ? t.timelineCopied : t.timelineNotCopied);
	};
	return (
		<section className={styles['story']} aria-label={t.attackStory}>
			<div className={styles['head']}>
				<h2 className={styles['title']}>{t.attackStory}</h2>
				<span className={styles['origin']}>{originWords(story)}</span>
				{story.mitre.map((id) => (
					<Tag key={id}>{id}</Tag>
				))}
				<span className={styles['spring']} />
				<Button size="small" onPress={() => onShow(story.origin.point.index)}>
					{t.showOrigin}
				</Button>
				<Button size="small" onPress={() => void copy()}>
					{t.copyTimeline}
				</Button>
			</div>
			<ol className={styles['steps']}>
				{story.steps.map(({ point, role, name, inferred }) => (
					<li key={point.index}>
						<AriaButton
							className={styles['step'] ?? ''}
							data-current={point.index === selected}
							data-inferred={inferred}
							onPress={() => onShow(point.index)}
						>
							<Tag tone={roleLooks[role].tone}>{roleLooks[role].word}</Tag>
							<span className={styles['name']} title={point.text}>
								{name}
							</span>
							<Time at={point.at} form="exact" />
						</AriaButton>
					</li>
				))}
			</ol>
		</section>
	);
}

/** A selected event without a story keeps that of the newest detection. */
function useStory(trajectory: Trajectory, selected: number | null): AttackStory | null {
	const alarm = useMemo(() => trajectory.points.findLast(isAlarm), [trajectory]);
	return useMemo(() => {
		const at = selected === null ? undefined : trajectory.points[selected];
		const own = at === undefined || badness(at) < 2 ? undefined : storyOf(trajectory, at);
		const found = own ?? (alarm === undefined ? undefined : storyOf(trajectory, alarm));
		return found === undefined || found.steps.length < 2 ? null : found;
	}, [trajectory, selected, alarm]);
}

function isAlarm(point: TrajectoryPoint): boolean {
	return badness(point) >= 5;
}
