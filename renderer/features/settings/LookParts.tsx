import type {Settings} from '#model/settings.ts'

import {useSetSettings, useSettings, useAsked} from '#api/hooks.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {RadioGroup, type RadioGroupProps, Switch} from '#ui/Field.tsx'
import {formFor} from '#ui/form.ts'
import {Part, type PartProps} from './Part.tsx'
import {t} from './text.ts'

type TextSetting = 'theme' | 'palette' | 'fontSize' | 'density' | 'timeZone' | 'dateForm' | 'clockForm'
type ChoiceProps<Name extends TextSetting> = Pick<RadioGroupProps<Settings[Name]>, 'label' | 'hideLabel' | 'description'> & {
	name: Name
	options: readonly (readonly [value: Settings[Name], label: string])[]
}

function useSettingsForm() {
	return formFor(useSettings(), useSetSettings())
}

function Choice<Name extends TextSetting>({name, options, ...field}: ChoiceProps<Name>) {
	const all = options.map(([value, label]) => ({value, label}))
	return <RadioGroup {...field} options={all} orientation="horizontal" {...useSettingsForm().field(name)} />
}

/** One choice under its own title. */
function ChoicePart<Name extends TextSetting>({about, children, ...choice}: ChoiceProps<Name> & Pick<PartProps, 'about' | 'children'>) {
	return (
		<Part title={choice.label} sets={[choice.name]} about={about}>
			<Choice {...choice} hideLabel />
			{children}
		</Part>
	)
}

export function ThemePart() {
	return (
		<ChoicePart
			name="theme"
			label={t.theme}
			about={t.highContrast}
			options={[
				['system', 'Follow the system'],
				['light', 'Light'],
				['dark', 'Dark'],
				['contrast', 'High contrast']
			]}
		/>
	)
}

export function PalettePart() {
	return (
		<ChoicePart
			name="palette"
			label={t.stateColours}
			about={t.differentColours}
			options={[
				['usual', 'Default'],
				['deuteranopia', 'Green-weak (deuteranopia)'],
				['protanopia', 'Red-weak (protanopia)'],
				['tritanopia', 'Blue-weak (tritanopia)']
			]}
		>
			<div className="cluster">
				<Tag tone="ok">{t.succeeded}</Tag>
				<Tag tone="warn">{t.medium}</Tag>
				<Tag tone="bad">{t.malicious}</Tag>
				<Tag tone="hold">{t.isolated}</Tag>
				<Tag>{t.unknownTitle}</Tag>
			</div>
		</ChoicePart>
	)
}

export function SizePart() {
	return (
		<ChoicePart
			name="fontSize"
			label={t.textSize}
			about={t.topZoomBrowser}
			options={[
				['small', 'Small'],
				['normal', 'Normal'],
				['large', 'Large'],
				['largest', 'Largest']
			]}
		/>
	)
}

export function DensityPart() {
	return (
		<ChoicePart
			name="density"
			label={t.density}
			about={t.heightRows}
			options={[
				['compact', 'Compact'],
				['normal', 'Normal'],
				['roomy', 'Comfortable']
			]}
		/>
	)
}

export function TrayPart() {
	const {check} = useSettingsForm()
	const host = useAsked(q => q.app.info).data?.host
	if (host !== 'desktop') {
		return <Part title={t.closingTheWindow} about={t.headlessClosing} />
	}
	return (
		<Part title={t.closingTheWindow} sets={['stayInTray']} about={t.trayForwarding}>
			<Switch {...check('stayInTray')}>{t.stayTrayWhen}</Switch>
		</Part>
	)
}

export function ZonePart() {
	return (
		<ChoicePart
			name="timeZone"
			label={t.timeZone}
			about={t.everyTimeWindow}
			options={[
				['local', 'Local time'],
				['utc', 'UTC']
			]}
			description={<Now />}
		/>
	)
}

export function TimeFormPart() {
	return (
		<Part title={t.dateTimeFormat} sets={['clockForm', 'dateForm']} about={t.windowExports}>
			<Choice
				name="dateForm"
				label={t.date}
				options={[
					['iso', '2026-01-31'],
					['dmy', '31/01/2026'],
					['mdy', '01/31/2026']
				]}
			/>
			<Choice
				name="clockForm"
				label={t.clock}
				options={[
					['24', '24 hours'],
					['12', '12 hours, AM and PM']
				]}
				description={<Now />}
			/>
		</Part>
	)
}

function Now() {
	// The host's last answer; any time shows the format.
	const at = useAsked(q => q.settings.get).dataUpdatedAt
	return (
		<>
			{t.forExample} <Time at={new Date(at).toISOString()} form="exact" />
		</>
	)
}

export function SingleKeysPart() {
	const {check} = useSettingsForm()
	return (
		<Part title={t.singleLetters} sets={['singleKeys']} about={t.switchThem}>
			<Switch {...check('singleKeys')}>{t.enableSingle}</Switch>
		</Part>
	)
}
