/** Where the local authority is imported, product by product. Menus as their vendors document them. */

export interface ImportHint {
  readonly product: string;
  readonly steps: string;
}

const pem = 'cordon-ca.pem';
const der = 'cordon-ca.cer';

export const importHints: readonly ImportHint[] = [
  {
    product: 'PAN-OS',
    steps: [
      `Device > Certificate Management > Certificates > Import: type Local, name cordon-ca, file ${pem}, format Base64 Encoded Certificate (PEM), no private key.`,
      'Device > Certificate Management > Certificate Profile > Add: name cordon, CA Certificates > Add > cordon-ca. Leave Use CRL and Use OCSP off: a local authority publishes neither.',
      'Objects > External Dynamic Lists: choose the profile cordon as Certificate Profile. User and password appear once a profile is chosen. Commit.',
      'The host in the URL must be a name or address of the certificate, or authentication fails and the firewall stops enforcing the list.',
    ].join('\n'),
  },
  {
    product: 'FortiGate',
    steps: [
      `System > Certificates > Create/Import > CA Certificate > File: ${pem}. (Feature Visibility > Certificates shows the menu.)`,
      'It is listed as CA_Cert_1 or the like among the remote authorities.',
      'A threat feed checks certificates only when told so: config system external-resource, edit the feed, set server-identity-check full, next, end.',
    ].join('\n'),
  },
  {
    product: 'FMC',
    steps: [
      `Objects > Object Management > PKI > Trusted CAs > Add Trusted CA: name cordon-ca, browse to ${pem}, Save.`,
      'For a source of Threat Intelligence Director: Edit Source > SSL Settings > Self-Signed Certificate, hostname verification Strict, and paste the PEM text.',
    ].join('\n'),
  },
  {
    product: 'Windows (Chrome, Edge)',
    steps: [
      `For this user: certutil -user -addstore Root ${der}`,
      `For all users, as administrator: certutil -addstore Root ${der}`,
      'Restart the browser.',
    ].join('\n'),
  },
  {
    product: 'macOS (Chrome, Safari)',
    steps: [
      `sudo security add-trusted-cert -d -r trustRoot -k /Library/Keychains/System.keychain ${pem}`,
      'Or open the file in Keychain Access and set Trust > When using this certificate to Always Trust.',
    ].join('\n'),
  },
  {
    product: 'Linux (curl and other programs)',
    steps: [
      `Debian, Ubuntu: copy ${pem} to /usr/local/share/ca-certificates/cordon-ca.crt and run update-ca-certificates as root.`,
      `Fedora, RHEL: copy ${pem} to /etc/pki/ca-trust/source/anchors/ and run update-ca-trust as root.`,
      `Once only: curl --cacert ${pem} https://…`,
    ].join('\n'),
  },
  {
    product: 'Linux (Chrome, Chromium)',
    steps: [
      `certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n "Cordon local authority" -i ${pem}`,
      'certutil is in the package libnss3-tools or nss-tools. Restart the browser.',
    ].join('\n'),
  },
  {
    product: 'Firefox',
    steps: [
      `Settings > Privacy & Security > Certificates > View Certificates > Authorities > Import: ${pem}, then Trust this CA to identify websites.`,
    ].join('\n'),
  },
];
