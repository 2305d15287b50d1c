import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react';

import type { TimeZone } from '../../ui/time.ts';
import { hitAt, tipOf, type Hit } from './hit.ts';
import { timeOf, type Layout, type Span } from './layout.ts';
import { between, panned, within, zoomed } from './span.ts';
import type { ViewStore } from './view-store.ts';

/** Lengths from the corner of the drawing that is nearest. */
export interface Tip {
	readonly x: number;
	readonly y: number;
	readonly isRight: boolean;
	readonly lines: readonly string[];
}

interface PointerOptions {
	readonly scroller: RefObject<HTMLDivElement | null>;
	readonly layout: Layout;
	readonly view: ViewStore;
	readonly labelWidth: number;
	readonly zone: TimeZone;
	readonly onPick: (index: number) => void;
}

interface Drag {
	readonly x: number;
	readonly y: number;
	readonly span: Span;
	readonly top: number;
	moved: boolean;
}

/** So far a click may slip, in pixels. */
const slip = 4;

/** Wheel zooms (over the names it scrolls), dragging pans, a click selects, a double click goes closer. */
export function usePointer(options: PointerOptions) {
	const { scroller, layout, view, labelWidth, zone, onPick } = options;
	const drag = useRef<Drag | null>(null);
	const [isDragging, setDragging] = useState(false);
	const [tip, setTip] = useState<Tip | null>(null);
	useWheel(options);

	const hitOf = (
		event: PointerEvent | React.MouseEvent,
	): { readonly hit: Hit | null; readonly x: number; readonly y: number } => {
		const box = event.currentTarget.getBoundingClientRect();
		const [x, y] = [event.clientX - box.left, event.clientY - box.top];
		const facts = { layout, span: view.get(), labelWidth, width: event.currentTarget.clientWidth };
		return { hit: hitAt({ ...facts, top: event.currentTarget.scrollTop }, x, y), x, y };
	};
	const move = (event: PointerEvent<HTMLDivElement>) => {
		if (drag.current !== null) return dragTo(event, drag.current);
		const { hit, x, y } = hitOf(event);
		const lines = hit === null ? [] : tipOf(hit, x < labelWidth, zone);
		const width = event.currentTarget.clientWidth;
		const isRight = x > width / 2;
		setTip(lines.length === 0 ? null : { lines, isRight, x: isRight ? width - x + 14 : x + 14, y: y + 14 });
	};
	const dragTo = (event: PointerEvent<HTMLDivElement>, from: Drag) => {
		const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
		if (!from.moved && Math.hypot(dx, dy) < slip) return;
		if (!from.moved) {
			from.moved = true;
			setDragging(true);
			setTip(null);
		}
		const plot = Math.max(1, event.currentTarget.clientWidth - labelWidth);
		event.currentTarget.scrollTop = from.top - dy;
		view.set(panned(from.span, layout.span, -dx / plot));
	};
	const end = (event: PointerEvent<HTMLDivElement>) => {
		const was = drag.current;
		drag.current = null;
		setDragging(false);
		if (was === null || was.moved || event.type === 'pointercancel') return;
		const { hit } = hitOf(event);
		const index =
			hit === null
				? undefined
				: (hit.bead?.worst ?? (isLabel(event, labelWidth) ? hit.lane.points.at(-1) : undefined))?.index;
		if (index !== undefined) onPick(index);
	};
	const closer = (event: React.MouseEvent<HTMLDivElement>) => {
		const bead = hitOf(event).hit;
		const [first, last] = [bead?.lane.points[bead.bead?.first ?? -1], bead?.lane.points[bead.bead?.last ?? -1]];
		if (first === undefined || last === undefined) return;
		const [one, other] = [timeOf(first), timeOf(last)];
		const air = Math.max(1, (other - one) * 0.2);
		view.set(within(between(one - air, other + air, layout.span), layout.span));
	};
	const on = {
		onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
			if (event.button !== 0 || isScrollbar(event)) return;
			event.currentTarget.setPointerCapture(event.pointerId);
			const top = event.currentTarget.scrollTop;
			drag.current = { x: event.clientX, y: event.clientY, span: view.get(), top, moved: false };
		},
		onPointerMove: move,
		onPointerUp: end,
		onPointerCancel: end,
		onPointerLeave: () => setTip(null),
		onDoubleClick: closer,
	};
	return { isDragging, tip, on, scroller };
}

function isLabel(event: PointerEvent<HTMLDivElement>, labelWidth: number): boolean {
	return event.clientX - event.currentTarget.getBoundingClientRect().left < labelWidth;
}

function isScrollbar(event: PointerEvent<HTMLDivElement>): boolean {
	return event.clientX - event.currentTarget.getBoundingClientRect().left > event.currentTarget.clientWidth;
}

/** React listens for the wheel passively: it could not keep the page from scrolling. */
function useWheel({ scroller, layout, view, labelWidth }: PointerOptions): void {
	useEffect(() => {
		const element = scroller.current;
		if (element === null) return;
		const onWheel = (event: WheelEvent) => {
			const x = event.clientX - element.getBoundingClientRect().left;
			const plot = element.clientWidth - labelWidth;
			if (x < labelWidth || plot <= 0) return;
			event.preventDefault();
			const isPan = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
			const delta = event.deltaMode === 1 ? 16 : 1;
			const by = (event.deltaX === 0 || !isPan ? event.deltaY : event.deltaX) * delta;
			if (isPan) return view.set(panned(view.get(), layout.span, by / plot));
			view.set(
				zoomed(view.get(), layout.span, Math.exp(Math.max(-240, Math.min(240, by)) / 400), (x - labelWidth) / plot),
			);
		};
		element.addEventListener('wheel', onWheel, { passive: false });
		return () => element.removeEventListener('wheel', onWheel);
	}, [scroller, layout, view, labelWidth]);
}
