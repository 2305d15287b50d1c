import { ImageDown, Sheet, Table2 } from 'lucide-react';
import { useState } from 'react';

import { useAnnounce } from './Announcer.tsx';
import { IconButton } from './Button.tsx';
import styles from './Chart.module.css';
import { chartPicture, chartTable, stepsOf, topOf, type ChartProps } from './chart-file.ts';
import { barsOf, foldTo, lineOf } from './chart-shapes.ts';
import { useChartTheme } from './chart/theme.ts';
import { useTimeZone } from './Clock.tsx';
import { cx } from './cx.ts';
import { saveBlob, saveText } from './save.ts';
import { Time } from './Time.tsx';
import { t } from './text.ts';

/** Rows of the table are this long, in seconds. */
const rowS = 300;

/** Values over time as a small picture, or as a table with the same values. */
export function Chart(props: ChartProps) {
	const [isTable, setTable] = useState(false);
	const { title, series } = props;
	return (
		<figure className={styles['chart']}>
			<figcaption className={styles['head']}>
				<span className={styles['title']}>{title}</span>
				{series.map(({ name, tone, form }) => (
					<span key={name} className={styles['legend']}>
						<span className={cx(styles['swatch'], styles[tone], styles[form])} aria-hidden="true" />
						{name}
					</span>
				))}
				<span className={styles['controls']}>
					<Save {...props} />
					<button
						type="button"
						className={styles['switch']}
						aria-pressed={isTable}
						aria-label={t.asATable(title)}
						title={t.asATableTitle}
						onClick={() => setTable(!isTable)}
					>
						<Table2 size={13} aria-hidden="true" />
					</button>
				</span>
			</figcaption>
			{isTable ? <Twin {...props} /> : <Picture {...props} />}
		</figure>
	);
}

function Save(props: ChartProps) {
	const announce = useAnnounce();
	const theme = useChartTheme();
	const zone = useTimeZone();
	const nothing = isEmptyOf(props) ? 'There is nothing to save.' : null;
	const savePicture = async () => {
		saveBlob(await chartPicture(props, theme, zone), `${props.fileName}.png`);
		announce('Image saved');
	};
	return (
		<>
			<IconButton
				label={t.saveImage(props.title)}
				size="small"
				reason={nothing}
				onPress={() => void savePicture().catch(() => announce('Could not save the image'))}
			>
				<ImageDown size={13} />
			</IconButton>
			<IconButton
				label={t.saveTable(props.title)}
				size="small"
				reason={nothing}
				onPress={() => {
					saveText(chartTable(props));
					announce('Table saved');
				}}
			>
				<Sheet size={13} />
			</IconButton>
		</>
	);
}

function isEmptyOf({ series }: Pick<ChartProps, 'series'>): boolean {
	return series.every(({ values }) => values.every((value) => value === null || value === 0));
}

function Picture({ summary, series, from, stepS, format, empty }: ChartProps) {
	const [steps, top] = [stepsOf(series), topOf(series)];
	const isEmpty = isEmptyOf({ series });
	const start = Date.parse(from);
	const at = (share: number) => new Date(start + share * steps * stepS * 1000).toISOString();
	return (
		<>
			<div className={styles['plot']}>
				<span className={styles['top']} aria-hidden="true">
					{isEmpty ? '' : format(top)}
				</span>
				<svg viewBox={`0 0 ${steps} 100`} preserveAspectRatio="none" role="img" aria-label={summary}>
					{series.map(({ name, values, form, tone }) => (
						<path
							key={name}
							className={cx(styles[form], styles[tone])}
							d={form === 'bars' ? barsOf(values, top) : lineOf(values, top)}
						/>
					))}
				</svg>
				{isEmpty ? <span className={styles['empty']}>{empty}</span> : null}
			</div>
			<div className={styles['axis']} aria-hidden="true">
				<Time at={at(0)} form="clock" />
				<Time at={at(0.5)} form="clock" />
				<span>{t.now}</span>
			</div>
		</>
	);
}

function Twin({ title, series, from, stepS, format }: ChartProps) {
	const each = Math.round(rowS / stepS);
	const folded = series.map(({ values, fold }) => foldTo(values, each, fold));
	const start = Date.parse(from);
	const rows = Array.from({ length: folded[0]?.length ?? 0 }, (_, index) => index).toReversed();
	return (
		<div className={styles['scroll']} tabIndex={0} role="region" aria-label={t.asATableOf(title)}>
			<table className={styles['table']}>
				<thead>
					<tr>
						<th scope="col">{t.from}</th>
						{series.map(({ name }) => (
							<th key={name} scope="col">
								{name}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map((row) => (
						<tr key={row}>
							<th scope="row">
								<Time at={new Date(start + row * rowS * 1000).toISOString()} form="clock" />
							</th>
							{series.map(({ name }, index) => {
								const value = folded[index]?.[row] ?? null;
								return <td key={name}>{value === null ? '–' : format(value)}</td>;
							})}
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}
