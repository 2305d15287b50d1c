/** Shapes of small charts in a box that is one unit a step wide and 100 high: pure, so that they can be tested. */

type Values = readonly (number | null)[];

/** The end of the scale: 1, 2 or 5 times a power of ten, and not below the largest value. */
export function axisTop(largest: number): number {
	if (!(largest > 0)) return 1;
	const power = 10 ** Math.floor(Math.log10(largest));
	const step = [1, 2, 5, 10].find((factor) => factor * power >= largest) ?? 10;
	return step * power;
}

/** A bar for each value above 0, as the `d` of a path. The smallest stays visible. */
export function barsOf(values: Values, top: number): string {
	return values
		.map((value, index) => {
			if (value === null || value <= 0) return '';
			const y = Math.min(98, 100 - (value / top) * 100);
			return `M${index} 100V${round(y)}H${index + 1}V100Z`;
		})
		.join('');
}

/** A line through the middles of the steps, broken where there is no value; a lone value is a short dash. */
export function lineOf(values: Values, top: number): string {
	let isDown = false;
	return values
		.map((value, index) => {
			if (value === null) {
				isDown = false;
				return '';
			}
			const y = round(100 - (Math.min(value, top) / top) * 100);
			const begun = isDown;
			isDown = true;
			return begun ? `L${index + 0.5} ${y}` : `M${index + 0.2} ${y}H${index + 0.5}`;
		})
		.join('');
}

/** Puts `each` steps together, the last ones perhaps fewer; no value at all stays `null`. */
export function foldTo(values: Values, each: number, how: 'sum' | 'max'): Values {
	const groups = Array.from({ length: Math.ceil(values.length / each) }, (_, index) =>
		values.slice(index * each, (index + 1) * each).filter((value) => value !== null),
	);
	return groups.map((group) => {
		if (group.length === 0) return null;
		return how === 'sum' ? group.reduce((sum, value) => sum + value, 0) : Math.max(...group);
	});
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}
