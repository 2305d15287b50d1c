import {useSetSettings, useSettings, useAsked} from '#api/hooks.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {RadioGroup, Switch} from '#ui/Field.tsx'
import {Part} from './Part.tsx'
import {t} from './text.ts'

export function ThemePart() {
	const {theme} = useSettings()
	const set = useSetSettings()
	return (
		<Part title={t.theme} sets={['theme']} about={t.highContrast}>
			<RadioGroup
				label={t.theme}
				hideLabel
				orientation="horizontal"
				value={theme}
				onChange={next => set({theme: next})}
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
	const {palette} = useSettings()
	const set = useSetSettings()
	return (
		<Part title={t.stateColours} sets={['palette']} about={t.differentColours}>
			<RadioGroup
				label={t.stateColours}
				hideLabel
				orientation="horizontal"
				value={palette}
				onChange={next => set({palette: next})}
				options={palettes}
			/>
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
	const {fontSize} = useSettings()
	const set = useSetSettings()
	return (
		<Part title={t.textSize} sets={['fontSize']} about={t.topZoomBrowser}>
			<RadioGroup
				label={t.textSize}
				hideLabel
				orientation="horizontal"
				value={fontSize}
				onChange={next => set({fontSize: next})}
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
	const {density} = useSettings()
	const set = useSetSettings()
	return (
		<Part title={t.density} sets={['density']} about={t.heightRows}>
			<RadioGroup
				label={t.density}
				hideLabel
				orientation="horizontal"
				value={density}
				onChange={next => set({density: next})}
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
	const {stayInTray} = useSettings()
	const set = useSetSettings()
	const host = useAsked(q => q.app.info).data?.host
	if (host !== 'desktop') {
		return <Part title={t.closingTheWindow} about={t.headlessClosing} />
	}
	return (
		<Part title={t.closingTheWindow} sets={['stayInTray']} about={t.trayForwarding}>
			<Switch isSelected={stayInTray} onChange={next => set({stayInTray: next})}>
				{t.stayTrayWhen}
			</Switch>
		</Part>
	)
}

export function ZonePart() {
	const {timeZone} = useSettings()
	const set = useSetSettings()
	return (
		<Part title={t.timeZone} sets={['timeZone']} about={t.everyTimeWindow}>
			<RadioGroup
				label={t.timeZone}
				hideLabel
				orientation="horizontal"
				value={timeZone}
				onChange={next => set({timeZone: next})}
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
	const {clockForm, dateForm} = useSettings()
	const set = useSetSettings()
	return (
		<Part title={t.dateTimeFormat} sets={['clockForm', 'dateForm']} about={t.windowExports}>
			<RadioGroup
				label={t.date}
				orientation="horizontal"
				value={dateForm}
				onChange={next => set({dateForm: next})}
				options={[
					{value: 'iso', label: '2026-01-31'},
					{value: 'dmy', label: '31/01/2026'},
					{value: 'mdy', label: '01/31/2026'},
				]}
			/>
			<RadioGroup
				label={t.clock}
				orientation="horizontal"
				value={clockForm}
				onChange={next => set({clockForm: next})}
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
	const {singleKeys} = useSettings()
	const set = useSetSettings()
	return (
		<Part title={t.singleLetters} sets={['singleKeys']} about={t.switchThem}>
			<Switch isSelected={singleKeys} onChange={next => set({singleKeys: next})}>
				{t.enableSingle}
			</Switch>
		</Part>
	)
}
