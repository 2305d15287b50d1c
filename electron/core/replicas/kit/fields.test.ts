import {aboutOf} from './fields.ts'

const ioc = {cloud_ioc: {short_description: 'W32.ClearEventLogs.ioc', description: 'Long.'}, tactics: ['TA0005']}
const hunt = {threat_hunting: {incident_title: 'Remote access tool'}, techniques: [{external_id: 'T1105', name: 'Transfer'}]}

test.each([
	[{...ioc, command_line: {arguments: ['wevtutil.exe', 'cl', 'my log']}}, 'W32.ClearEventLogs.ioc (TA0005): wevtutil.exe cl "my log"'],
	[hunt, 'Remote access tool (T1105)'],
	[{scan: {description: 'Flash Scan', clean: false, scanned_files: 1047, malicious_detections: 1}}, 'Flash Scan, 1,047 files, 1 detection'],
	[{error: {error_code: 1638, description: 'Product is already installed.'}}, 'Product is already installed (error 1638)'],
	[{fault_event_title: 'Disk access not granted'}, 'Disk access not granted'],
	[{scan: 'odd', error: null, cloud_ioc: [], tactics: ['TA0005'], command_line: {arguments: 'calc'}}, null]
])('%j is told as %j', (record, told) => expect(aboutOf(record)).toBe(told))
