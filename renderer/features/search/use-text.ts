import { useEffect, useRef, useState } from 'react';

/** How long typing may pause before the address of the screen follows it (ms). */
const addressDelay = 250;

export interface TypedText {
	readonly text: string;
	set(text: string): void;
	/** Puts what was typed into the address now. */
	settle(text?: string): void;
}

/** The text of the box: the address follows after a pause, and an address that changes by itself goes into the box. */
export function useTypedText(fromAddress: string, toAddress: (text: string) => void): TypedText {
	const [text, setText] = useState(fromAddress);
	const known = useRef(fromAddress);
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	useEffect(() => {
		if (fromAddress === known.current) return;
		known.current = fromAddress;
		clearTimeout(timer.current);
		setText(fromAddress);
	}, [fromAddress]);
	useEffect(() => () => clearTimeout(timer.current), []);
	const store = (next: string) => {
		clearTimeout(timer.current);
		if (known.current === next) return;
		known.current = next;
		toAddress(next);
	};
	return {
		text,
		set: (next) => {
			setText(next);
			clearTimeout(timer.current);
			timer.current = setTimeout(() => store(next), addressDelay);
		},
		settle: (next = text) => {
			setText(next);
			store(next);
		},
	};
}
