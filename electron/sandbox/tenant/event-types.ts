/** A row of GET /v1/event_types. */
interface EventTypeRow {
	id: number
	name: string
	description: string
}

type Row = readonly [number, string, string]

const compromise = (id: number, name: string): Row => [
	id,
	`${name} compromise`,
	`A suspicious portable executable file was downloaded and executed by ${name}.`
]
const shell = (id: number, name: string): Row => [
	id,
	`${name} launched a shell`,
	`${name} executed an unknown application, which in turn launched a command shell.`
]
const alike = (id: number, name: string): Row => [id, name, name]

/** The 101 rows of the capture of June 2020 (API reference, section 7). */
export const eventTypes: readonly EventTypeRow[] = (
	[
		[1003, 'Email Confirmation', 'Sent when a user account gets created.'],
		[1004, 'Forgotten Password Reset', 'Sent when a user forgets password.'],
		[1005, 'Password Has Been Reset', 'Sent when a user has reset his password.'],
		[553648130, 'Policy Update', 'An agent has been told to fetch policy.'],
		[553648135, 'Product Update Started', 'A product update has begun.'],
		[553648136, 'Product Update Completed', 'A product update has successfully completed'],
		[553648137, 'Product Update Failed', 'A product update has failed.'],
		[553648143, 'Threat Quarantined', 'A threat was successfully quarantined.'],
		[553648146, 'Cloud Recall Restore of False Positive', 'A file once thought to be malicious has been marked as clean and restored.'],
		[553648147, 'Cloud Recall Detection', 'A file once thought to be clean has been marked malicious.'],
		[553648149, 'Quarantined Item Restored', 'An item has been pulled restored from Quarantine to its original location.'],
		[553648150, 'Quarantine Restore Started', 'The restoring of a file from Quarantine was attempted.'],
		[553648154, 'Cloud Recall Restore from Quarantine', 'A retrospective restore was completed successfully.'],
		[553648155, 'Cloud Recall Quarantine Successful', 'A retrospective quarantine was completed successfully.'],
		[553648158, 'Install Started', 'An installation has begun.'],
		[553648166, 'Uninstall', ''],
		[553648168, 'Execution Blocked', 'Execution of an application was blocked.'],
		[553648170, 'Reboot Pending', 'An agent has started the reboot process'],
		[553648171, 'Reboot Completed', 'An agent has completed its reboot'],
		[553648173, 'File Fetch Completed', 'The request for a remote file was successful'],
		alike(553648176, 'Endpoint IOC Configuration Update Success'),
		alike(553648179, 'Endpoint IOC Definition Update Success'),
		[553648195, 'Minor Fault Raised', 'A minor fault has been raised'],
		[553648196, 'Fault Cleared', 'A fault has been cleared'],
		[553648199, 'Malicious Activity Block', 'A malicious activity has been blocked'],
		[553648202, 'Endpoint Isolation Start Success', 'An agent has been isolated successfully'],
		[553648204, 'Endpoint Isolation Stop Success', 'An agent has stopped to be isolated'],
		[553648206, 'Endpoint Isolation Update Success', 'An isolated agent has been updated successfully'],
		[553648208, 'Orbital Install Success', 'Orbital has been installed successfully'],
		[553648210, 'Orbital Update Success', 'Orbital version has been updated successfully'],
		[553648215, 'Endpoint Isolation Unlock Limit Reached', 'An isolated agent has failed to unlock with the unlock code too many times'],
		[554696714, 'Scan Started', 'An agent has started scanning.'],
		[554696715, 'Scan Completed, No Detections', 'A scan has completed without detecting anything malicious.'],
		alike(554696756, 'Endpoint IOC Scan Started'),
		alike(554696757, 'Endpoint IOC Scan Completed, No Detections'),
		[570425394, 'Quarantine Restore Requested', 'A request has been made to move a file from Quarantine back to its original location.'],
		[570425396, 'Application Registered', 'An Application was registered.'],
		[570425397, 'Application Deregistered', 'An Application was deregistered.'],
		[570425398, 'Application Authorized', 'An Application authorized to access a portion of the API.'],
		[570425399, 'Application Deauthorized', 'An Application authorized to access a portion of the API.'],
		[1090519054, 'Threat Detected', 'A threat was found on this system.'],
		[1090519081, 'Rootkit Detection', 'A threat was found hidden on this system.'],
		[1090519084, 'DFC Threat Detected', 'A connection has been detected by DFC.'],
		alike(1090519089, 'Endpoint IOC Scan Detection Summary'),
		[1090519096, 'Update: Reboot Required', 'It triggers when the new connector is installed but not running'],
		[
			1090519097,
			'Update: Reboot Advised',
			'It triggers when the new connector is installed and running but some new driver features will not be available until the system is rebooted'
		],
		[1090519102, 'iOS Network Detection', 'It reports the conviction of a network connection'],
		[1090519103, 'Exploit Prevention', 'An exploit was prevented from running'],
		[1090519105, 'Malicious Activity Detection', 'A malicious activity is detected'],
		[1090519107, 'Major Fault Raised', 'A major fault has been raised'],
		[1090519112, 'System Process Protection', 'An access to a process or registry has been blocked'],
		[1090524040, 'APK Threat Detected', 'A threat was found on this system.'],
		[1090524041, 'APK Custom Threat Detected', 'An apk matching an Android Simple Custom Detection was found on this system.'],
		[1091567628, 'Scan Completed With Detections', 'A scan has completed and detected malicious items.'],
		alike(1091567670, 'Endpoint IOC Scan Completed With Detections'),
		[
			1107296257,
			'Potential Dropper Infection',
			'Potential dropper infections indicate a single file is repeatedly attempting to download malware onto a computer.'
		],
		[1107296258, 'Multiple Infected Files', 'Multiple infected files indicate multiple files on a computer are attempting to download malware.'],
		compromise(1107296261, 'Adobe Reader'),
		compromise(1107296262, 'Microsoft Word'),
		compromise(1107296263, 'Microsoft Excel'),
		compromise(1107296264, 'Microsoft PowerPoint'),
		shell(1107296266, 'Adobe Reader'),
		shell(1107296267, 'Microsoft Word'),
		shell(1107296268, 'Microsoft Excel'),
		shell(1107296269, 'Microsoft PowerPoint'),
		compromise(1107296270, 'Apple QuickTime'),
		shell(1107296271, 'Apple QuickTime'),
		[1107296272, 'Executed malware', 'The computer executed known malware'],
		[1107296273, 'Suspected botnet connection', 'The computer made outbound connections to suspected botnet command and control systems.'],
		[1107296274, 'Cloud IOC', 'Suspicious behavior that indicates possible compromise of the computer'],
		compromise(1107296275, 'Microsoft Calculator'),
		compromise(1107296276, 'Microsoft Notepad'),
		[
			1107296277,
			'Connection to suspicious domain',
			'The computer made an outbound connection to a domain that is similar to randomly generated domains used by some malware command and control systems.'
		],
		alike(1107296278, 'Threat Detected in Low Prevalence Executable'),
		alike(1107296279, 'Vulnerable Application Detected'),
		[1107296280, 'Suspicious Download', 'A suspicious file was downloaded.'],
		[1107296281, 'Microsoft CHM Compromise', 'A suspicious portable executable was downloaded and executed by Microsoft Help.'],
		[
			1107296282,
			'Suspicious Cscript Launch',
			'It triggers when Internet Explorer launches Command Shell which in turn launches Microsoft Windows Script Host (aka cscript)'
		],
		[1107296283, 'Possible Webshell', 'The computer may have been compromised granting remote access.'],
		[1107296284, 'Potential Ransomware', 'The computer may be infected with ransomware.'],
		[
			1107296344,
			'SecureX Threat Hunting Incident',
			'When portal receives api call from RET and incident is created, this event is triggered and displayed.'
		],
		[2164260866, 'Policy Update Failure', 'A policy update failed, and the policy was not successfully applied.'],
		[2164260880, 'Quarantine Failure', 'A detected threat was not successfully quarantined.'],
		[2164260884, 'Quarantine Restore Failed', 'An item requested to be restored to its original location could not be restored.'],
		[
			2164260892,
			'Cloud Recall Restore from Quarantine Failed',
			'A retrospective restore was attemped and failed. Most likely the original location no longer exists.'
		],
		[
			2164260893,
			'Cloud Recall Quarantine Attempt Failed',
			'A retrospective quarantine was attemped and failed. Most likely the original location no longer exists.'
		],
		[2164260895, 'Install Failure', 'An installation has failed.'],
		[2164260903, 'Uninstall Failure', ''],
		[2164260910, 'File Fetch Failed', 'The request for a remote file failed'],
		alike(2164260911, 'Endpoint IOC Configuration Update Failure'),
		alike(2164260914, 'Endpoint IOC Definition Update Failure'),
		[
			2164260922,
			'Update: Unexpected Reboot Required',
			'It triggers when the new connector is installed but not running for some unexpected scenario'
		],
		[2164260931, 'Critical Fault Raised', 'A critical fault has been raised'],
		[2164260939, 'Endpoint Isolation Start Failure', 'The agent isolation has been failed'],
		[2164260941, 'Endpoint Isolation Stop Failure', 'The agent failed to stop being isolated'],
		[2164260943, 'Endpoint Isolation Update Failure', 'An isolated agent update has been failed'],
		[2164260945, 'Orbital Install Failure', 'Orbital installation failed'],
		[2164260947, 'Orbital Update Failure', 'Orbital version can not be updated'],
		[2165309453, 'Scan Failed', 'A scan has been attempted, and failed to run.'],
		alike(2165309495, 'Endpoint IOC Scan Failed'),
		[2181038130, 'Quarantine Request Failed to be Delivered', 'A request to restore an item from quarantine was not successfully sent.']
	] as const
).map(([id, name, description]) => ({id, name, description}))

const names = new Map<number, string>(eventTypes.map(({id, name}) => [id, name]))

export function eventTypeName(id: number) {
	return names.get(id) ?? `Event ${id}`
}

/** The types generated by this server. */
export const types = {
	policyUpdate: 553648130,
	productUpdateStarted: 553648135,
	productUpdateCompleted: 553648136,
	quarantined: 553648143,
	retrospectiveDetection: 553648147,
	retrospectiveQuarantine: 553648155,
	installStarted: 553648158,
	uninstall: 553648166,
	executionBlocked: 553648168,
	minorFault: 553648195,
	faultCleared: 553648196,
	isolationStarted: 553648202,
	isolationStopped: 553648204,
	scanStarted: 554696714,
	scanClean: 554696715,
	threatDetected: 1090519054,
	dfcDetected: 1090519084,
	rebootAdvised: 1090519097,
	exploitPrevention: 1090519103,
	wordShell: 1107296267,
	executedMalware: 1107296272,
	cloudIoc: 1107296274,
	vulnerable: 1107296279,
	threatHunting: 1107296344,
	policyUpdateFailure: 2164260866,
	quarantineFailure: 2164260880,
	isolationStartFailure: 2164260939,
	isolationStopFailure: 2164260941
} as const
