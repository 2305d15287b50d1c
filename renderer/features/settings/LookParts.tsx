import type {Settings} from '#model/settings.ts'

import {useSetSettings, useSettings, useAsked} from '#api/hooks.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {RadioGroup, type RadioGroupProps, Switch} from '#ui/Field.tsx'
import {formFor} from '#ui/form.ts'
import {Part} from './Part.tsx'
import {t} from './text.ts'

type TextSetting = 'theme' | 'palette' | 'fontSize' | 'density' | 'timeZone' | 'dateForm' | 'clockForm'
type ChoiceProps<Name extends TextSetting> = Omit<RadioGroupProps<Settings[Name]>, 'orientation' | 'value' | 'onChange'> & {
	name: Name
}

function useSettingsForm() {
	return formFor(useSettings(), useSetSettings())
}

function Choice<Name extends TextSetting>({name, ...field}: ChoiceProps<Name>) {
	return <RadioGroup {...field} orientation="horizontal" {...useSettingsForm().field(name)} />
}

export function ThemePart() {
	return (
		<Part title={t.theme} sets={['theme']} about={t.highContrast}>
			<Choice
				name="theme"
				label={t.theme}
				hideLabel
				options={[
					{value: 'system', label: 'Follow the system'},
					{value: 'light', label: 'Light'},
					{value: 'dark', label: 'Dark'},
					{value: 'contrast', label: 'High contrast'},
				]}
			/>
		</Part>
	)
}

const palettes = [
	{value: 'usual', label: 'Default'},
	{value: 'deuteranopia', label: 'Green-weak (deuteranopia)'},
	{value: 'protanopia', label: 'Red-weak (protanopia)'},
	{value: 'tritanopia', label: 'Blue-weak (tritanopia)'},
] as const

export function PalettePart() {
	return (
		<Part title={t.stateColours} sets={['palette']} about={t.differentColours}>
			<Choice name="palette" label={t.stateColours} hideLabel options={palettes} />
			<div className="cluster">
				<Tag tone="ok">{t.succeeded}</Tag>
				<Tag tone="warn">{t.medium}</Tag>
				<Tag tone="bad">{t.malicious}</Tag>
				<Tag tone="hold">{t.isolated}</Tag>
				<Tag>{t.unknownTitle}</Tag>
			</div>
		</Part>
	)
}

export function SizePart() {
	return (
		<Part title={t.textSize} sets={['fontSize']} about={t.topZoomBrowser}>
			<Choice
				name="fontSize"
				label={t.textSize}
				hideLabel
				options={[
					{value: 'small', label: 'Small'},
					{value: 'normal', label: 'Normal'},
					{value: 'large', label: 'Large'},
					{value: 'largest', label: 'Largest'},
				]}
			/>
		</Part>
	)
}

export function DensityPart() {
	return (
		<Part title={t.density} sets={['density']} about={t.heightRows}>
			<Choice
				name="density"
				label={t.density}
				hideLabel
				options={[
					{value: 'compact', label: 'Compact'},
					{value: 'normal', label: 'Normal'},
					{value: 'roomy', label: 'Comfortable'},
				]}
			/>
		</Part>
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
		<Part title={t.timeZone} sets={['timeZone']} about={t.everyTimeWindow}>
			<Choice
				name="timeZone"
				label={t.timeZone}
				hideLabel
				options={[
					{value: 'local', label: 'Local time'},
					{value: 'utc', label: 'UTC'},
				]}
				description={<Now />}
			/>
		</Part>
	)
}

export function TimeFormPart() {
	return (
		<Part title={t.dateTimeFormat} sets={['clockForm', 'dateForm']} about={t.windowExports}>
			<Choice
				name="dateForm"
				label={t.date}
				options={[
					{value: 'iso', label: '2026-01-31'},
					{value: 'dmy', label: '31/01/2026'},
					{value: 'mdy', label: '01/31/2026'},
				]}
			/>
			<Choice
				name="clockForm"
				label={t.clock}
				options={[
					{value: '24', label: '24 hours'},
					{value: '12', label: '12 hours, AM and PM'},
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
