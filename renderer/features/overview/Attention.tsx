import { useEffect, useRef, useState } from 'react';

import type { AttentionItem } from '#shared/contract/sight.ts';

import { cx } from '../../ui/cx.ts';
import { KeyCap } from '../../ui/KeyCap.tsx';
import { Link } from '../../ui/Link.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { Card } from '../../ui/Toolbar.tsx';
import styles from './OverviewScreen.module.css';
import { ItemTrend } from './ItemTrend.tsx';
import { keepRoom, readRoom } from './kept-room.ts';
import { t } from './text.ts';
import { useAttentionKeys } from './use-attention-keys.ts';

const urgencies = {
	now: { shape: '▲', word: 'now' },
	soon: { shape: '◆', word: 'soon' },
	know: { shape: '○', word: 'info' },
} as const;

interface AttentionProps {
	/** Whose lines they are, by id. */
	readonly connection: string;
	/** `undefined` while they are read for the first time. */
	readonly items: readonly AttentionItem[] | undefined;
	readonly checkedAt: string | undefined;
	/** Computers have not been loaded yet: nobody can say that nothing needs a human. */
	readonly isBlind: boolean;
}

/** What needs a human in the next ten minutes. Each line opens its rows; keys 1 to 9 open the lines in their order. */
export function Attention({ connection, items, checkedAt, isBlind }: AttentionProps) {
	useAttentionKeys(items ?? []);
	return (
		<Card
			title={t.needsAttention}
			aside={
				checkedAt === undefined || items?.length === 0 ? undefined : (
					<>
						{t.checked} <Time at={checkedAt} form="clock" />
					</>
				)
			}
		>
			{items === undefined || checkedAt === undefined ? (
				<ToCome key={connection} connection={connection} />
			) : items.length === 0 && isBlind ? (
				<p className={styles['hint']}>{t.noDataYetRefresh}</p>
			) : (
				<Known connection={connection} items={items} checkedAt={checkedAt} />
			)}
		</Card>
	);
}

interface KnownProps extends Pick<AttentionProps, 'connection'> {
	readonly items: readonly AttentionItem[];
	readonly checkedAt: string;
}

function Known({ connection, items, checkedAt }: KnownProps) {
	const place = useRef<HTMLDivElement>(null);
	useEffect(() => {
		const element = place.current;
		if (element === null) return undefined;
		const observer = new ResizeObserver(() => keepRoom(connection, items.length, element.offsetHeight));
		observer.observe(element);
		return () => observer.disconnect();
	}, [connection, items.length]);
	return (
		<div ref={place}>
			{items.length === 0 ? (
				<p className={styles['calm']}>
					<span aria-hidden="true">✓</span> {t.nothingNeeds} <Time at={checkedAt} form="clock" />.
				</p>
			) : (
				<ol className={styles['attention']}>
					{items.map((item, index) => (
						<Line key={item.kind} item={item} place={index + 1} />
					))}
				</ol>
			)}
		</div>
	);
}

const skeletonWidths = ['72%', '54%', '63%'];

/** As high as the lines were last time, so that nothing below moves when they are known. */
function ToCome({ connection }: Pick<AttentionProps, 'connection'>) {
	const [{ lines, height }] = useState(() => readRoom(connection));
	return (
		<div
			role="status"
			aria-label={t.checkingWhat}
			className={styles['toCome']}
			{...(height !== null && { style: { height } })}
		>
			{Array.from({ length: Math.max(1, lines) }, (_, index) => (
				<div key={index} className={styles['line']}>
					<span />
					<Skeleton width="48px" />
					<Skeleton width={skeletonWidths[index % skeletonWidths.length] ?? '60%'} />
				</div>
			))}
		</div>
	);
}

function Line({ item, place }: { readonly item: AttentionItem; readonly place: number }) {
	const { shape, word } = urgencies[item.urgency];
	return (
		<li className={styles['line']}>
			<span className={styles['place']}>{place <= 9 ? <KeyCap keys={String(place)} /> : null}</span>
			<span className={cx(styles['urgency'], styles[item.urgency])}>
				<span aria-hidden="true">{shape}</span> {word}
			</span>
			<span className={styles['what']}>
				<Link href={item.open} className={styles['title']}>
					{item.title}
				</Link>
				{item.names.length === 0 ? null : <span className={styles['names']}>{namesOf(item)}</span>}
			</span>
			<ItemTrend item={item} />
			<span className={styles['since']}>
				{item.since === null ? null : (
					<>
						{t.since} <Time at={item.since} form="age" />
					</>
				)}
			</span>
		</li>
	);
}

/** What their names tell is all there is: of groups, the last one says how many more there are. */
const isWhole: ReadonlySet<AttentionItem['kind']> = new Set(['compromised', 'audit_policy', 'forwarding_failed']);

/** Names of computers are the first of all. */
function namesOf({ kind, names, count }: AttentionItem): string {
	const isAll = names.length >= count || isWhole.has(kind);
	return `${names.join(', ')}${isAll ? '' : ', …'}`;
}
