import {catalogue, findCommand} from '#shared/commands/catalogue.ts'
import type {CommandSpec} from '#shared/commands/define.ts'
import {valueHint} from '#shared/commands/fields.ts'
import {optionSummaries} from '#shared/commands/options.ts'

import {Link} from '#ui/Button.tsx'
import styles from './Help.module.css'
import {t} from './text.ts'

export function Help({topic, onPick}: {topic: string; onPick: (name: string) => void}) {
	const spec = findCommand(topic)
	if (spec !== undefined) return <OneCommand spec={spec} />
	return (
		<dl className={styles.list}>
			{catalogue.map(each => (
				<div key={each.name} className={styles.line}>
					<dt>
						<Link className="hashes" onPress={() => onPick(each.name)}>
							{each.name}
						</Link>
					</dt>
					<dd className="soft">{each.summary}</dd>
				</div>
			))}
		</dl>
	)
}

function OneCommand({spec}: {spec: CommandSpec}) {
	return (
		<div className={styles.one}>
			<p>
				<strong>{spec.title}.</strong> {spec.summary}
			</p>
			<dl className={styles.list}>
				{Object.entries(spec.args).map(([name, arg]) => (
					<div key={name} className={styles.line}>
						<dt className="hashes">
							{name}
							{arg.required ? t.required : ''}
						</dt>
						<dd className="soft">
							{arg.summary} {valueHint(arg)}
						</dd>
					</div>
				))}
				{spec.options.map(option => (
					<div key={option} className={styles.line}>
						<dt className="hashes">{option}</dt>
						<dd className="soft">{optionSummaries[option]}</dd>
					</div>
				))}
			</dl>
			{spec.notes.map(note => (
				<p key={note} className="soft">
					{note}
				</p>
			))}
			{spec.examples.map(example => (
				<p key={example} className="hashes">
					!{example}
				</p>
			))}
		</div>
	)
}
