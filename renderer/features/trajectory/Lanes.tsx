import { useImperativeHandle, useRef, useState, type KeyboardEvent, type Ref } from 'react';

import { useTimeZone } from '../../ui/Clock.tsx';
import { useChartTheme } from '../../ui/chart/theme.ts';
import { cx } from '../../ui/cx.ts';
import styles from './Trajectory.module.css';
import type { Layout } from './layout.ts';
import type { Move } from './moves.ts';
import { paint } from './paint.ts';
import { axisHeight, rowHeight } from './painting.ts';
import { t } from './text.ts';
import { useOnView, type ViewStore } from './view-store.ts';
import { usePainter } from './use-painter.ts';
import { usePointer, type Tip } from './use-pointer.ts';

export interface LanesHandle {
	/** Scrolls to the lane of that point. */
	reveal(index: number): void;
	focus(): void;
}

export interface LanesProps {
	readonly layout: Layout;
	readonly view: ViewStore;
	readonly selected: number | null;
	readonly marked: readonly number[];
	/** What the drawing shows, in a sentence. */
	readonly label: string;
	readonly labelWidth: number;
	readonly onPick: (index: number) => void;
	readonly onMove: (move: Move) => void;
	/** Moves what is shown by a part of it. */
	readonly onPan: (share: number) => void;
	readonly onInspect: () => void;
	readonly onFocus: (isFocused: boolean) => void;
	readonly handle: Ref<LanesHandle>;
}

/** The swim lanes. The canvas lies below an empty scroller, which has the focus, the keys and the pointer. */
export function Lanes(props: LanesProps) {
	const { layout, view, selected, marked, label, labelWidth, handle } = props;
	const theme = useChartTheme();
	const zone = useTimeZone();
	const scroller = useRef<HTMLDivElement>(null);
	const canvas = useRef<HTMLCanvasElement>(null);
	const [isFocused, setFocused] = useState(false);
	const repaint = usePainter(canvas, (pen, width, height) =>
		paint(pen, {
			...{ layout, span: view.get(), theme, zone, height, labelWidth, selected, isFocused, marked },
			width: scroller.current?.clientWidth ?? width,
			top: scroller.current?.scrollTop ?? 0,
		}),
	);
	useOnView(view, repaint);
	const pointer = usePointer({ scroller, layout, view, labelWidth, zone, onPick: props.onPick });
	useImperativeHandle(handle, () => ({
		reveal: (index) => scrollTo(scroller.current, layout.places.get(index)?.row),
		focus: () => scroller.current?.focus(),
	}));
	const focus = (is: boolean) => {
		setFocused(is);
		props.onFocus(is);
	};
	// Spread, because the rule that looks for handlers does not know that an application has the keys and the pointer.
	const on = {
		...pointer.on,
		onScroll: repaint,
		onKeyDown: (event: KeyboardEvent) => press(event, props),
		onFocus: () => focus(true),
		onBlur: () => {
			// A dialog, such as the list of keys, comes back to here.
			if (document.querySelector('dialog, [role="dialog"]') === null) focus(false);
		},
	};
	return (
		<div className={styles['stage']}>
			<canvas ref={canvas} className={styles['canvas']} aria-hidden="true" />
			<div
				ref={scroller}
				role="application"
				aria-roledescription={t.swimLanes}
				aria-label={label}
				tabIndex={0}
				className={cx(
					styles['scroller'],
					pointer.tip !== null && styles['pointing'],
					pointer.isDragging && styles['dragging'],
				)}
				{...on}
			>
				<div style={{ height: axisHeight + layout.lanes.length * rowHeight }} />
			</div>
			{pointer.tip === null ? null : <TipBox tip={pointer.tip} />}
		</div>
	);
}

function TipBox({ tip }: { readonly tip: Tip }) {
	const side = tip.isRight ? { right: tip.x } : { left: tip.x };
	return (
		<div className={styles['tip']} style={{ ...side, top: tip.y }} aria-hidden="true">
			{tip.lines.map((line) => (
				<div key={line}>{line}</div>
			))}
		</div>
	);
}

const arrows: Readonly<Record<string, Move>> = {
	ArrowLeft: 'previous',
	ArrowRight: 'next',
	ArrowUp: 'up',
	ArrowDown: 'down',
};

/** Arrows repeat while they are held, so they are not left to the page's keys. */
function press(event: KeyboardEvent, { onMove, onPan, onInspect }: LanesProps): void {
	if (event.altKey || event.ctrlKey || event.metaKey) return;
	const move = arrows[event.key];
	if (event.shiftKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight'))
		onPan(event.key === 'ArrowRight' ? 0.2 : -0.2);
	else if (move !== undefined) onMove(move);
	else if (event.key === 'Enter') onInspect();
	else return;
	event.preventDefault();
	event.stopPropagation();
}

function scrollTo(scroller: HTMLElement | null, row: number | undefined): void {
	if (scroller === null || row === undefined) return;
	const y = row * rowHeight;
	const room = scroller.clientHeight - axisHeight - rowHeight;
	if (y < scroller.scrollTop) scroller.scrollTop = y;
	else if (y > scroller.scrollTop + room) scroller.scrollTop = y - room;
}
