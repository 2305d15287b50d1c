import styles from './Segments.module.css'

interface SegmentsProps<V extends string> {
	label: string
	options: readonly {value: V; title: string}[]
	value: V
	onChange: (value: V) => void
}

/** A few alternative views: a row of buttons, one pressed. */
export function Segments<V extends string>({label, options, value, onChange}: SegmentsProps<V>) {
	return (
		<span className={styles.segments} role="group" aria-label={label}>
			{options.map(each => (
				<button key={each.value} type="button" aria-pressed={each.value === value} onClick={() => onChange(each.value)}>
					{each.title}
				</button>
			))}
		</span>
	)
}
