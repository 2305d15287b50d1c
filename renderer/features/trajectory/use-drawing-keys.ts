import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import type { Move } from './moves.ts';

interface DrawingKeys {
	/** The lanes have the focus. */
	readonly hasFocus: boolean;
	readonly isInspecting: boolean;
	readonly onMove: (move: Move) => void;
	readonly onZoom: (factor: number | null) => void;
	readonly onPan: (share: number) => void;
	readonly onHide: () => void;
	/** Marks the event, or takes its mark away. */
	readonly onMark: () => void;
	readonly onNextMark: () => void;
	/** To the field that filters lanes by name. */
	readonly onName: () => void;
	readonly onExport: () => void;
	readonly onInspect: () => void;
	readonly onTable: () => void;
}

/** The keys of the drawing. Arrows and Enter are the lanes' own business; they are named here for the list of keys. */
export function useDrawingKeys(keys: DrawingKeys): void {
	const { hasFocus, isInspecting, onMove, onZoom, onPan, onHide, onMark, onNextMark, onInspect, onTable } = keys;
	useKey('trajectory.name', keys.onName);
	useKey('trajectory.export', keys.onExport);
	useKey('trajectory.event', () => onMove('next'), hasFocus);
	useKey('trajectory.lane', () => onMove('down'), hasFocus);
	useKey('trajectory.pan', () => onPan(0.2), hasFocus);
	useKey('trajectory.inspect', onInspect, hasFocus);
	useKey('trajectory.previousDetection', () => onMove('previousDetection'));
	useKey('trajectory.nextDetection', () => onMove('nextDetection'));
	useKey('trajectory.parent', () => onMove('parent'));
	useKey('trajectory.child', () => onMove('child'));
	useKey('trajectory.across', () => onMove('across'));
	useKey('trajectory.closer', () => onZoom(0.5));
	useKey('trajectory.wider', () => onZoom(2));
	useKey('trajectory.all', () => onZoom(null));
	useKey('trajectory.hide', onHide);
	useKey('trajectory.mark', onMark);
	useKey('trajectory.nextMark', onNextMark);
	useKey('trajectory.table', onTable);
	// One level at a time: first the details close, then the key leads back to the list.
	useKey('computer.back', onInspect, isInspecting);
}
