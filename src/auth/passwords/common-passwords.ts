/** As many of the list as the verification standard demands (docs/security.md, 6.2.4), and none that length refuses. */
const COUNT = 3_000;
const MIN_LENGTH = 6;
/** Those of recent breaches, in lower case; the list that is read is older. */
const RECENT = `
654321 121212 555555 777777 aaaaaa 987654321 222222 88888888 xxxxxx 123123123 987654 999999 333333 zaq1zaq1
password12 password1234 p@ssw0rd p@ssword admin123 administrator changeit default welcome123 letmein123 qwerty1234
qwertz abcdef abcdefg abcdefgh abcabc aa123456 aaaaaaaa 12341234 123456abc a12345678 abc123456 147147 101010 100200
123456654321 12345679 0987654321 098765 987654321a 1237895 159159 198700 199000 212121 232323 252525 258258 313131
321321 369369 420420 456456 456789 505050 987456321 99999999 999999999 44444444 444444 33333333 22222222 55555555
66666666 77777777 00000000 0123456789 012345 0123456 01234567 012345678 iloveyou1 iloveyou2 sweetheart sunshine1
princess1 baseball1 superman1 batman123 fortnite starwars1 monkey123 master123 realmadrid hellokitty helloworld
test1234 testing123 temp123 temporary user123 username login123 postgres helpdesk computer1 internet1 facebook
linkedin instagram twitter whatsapp youtube playstation wednesday saturday summer123 winter1 spring1 summer2020
summer2021 summer2022 summer2023 summer2024 summer2025 winter2020 winter2021 winter2022 winter2023 winter2024
winter2025 welcome2020 welcome2021 welcome2022 welcome2023 welcome2024 welcome2025 password2020 password2021
password2022 password2023 password2024 password2025 singapore melbourne qweewq wsxedc edcrfv poiuytrewq poiuyt
lkjhgfdsa mnbvcxz mnbvcxz1 zxcvbnm123 asdqwe asdqwe123 1qaz1qaz 2wsx3edc 3edc4rfv qwert12345 asdfgh1 zxcvb123 hejsan
hallo123 motdepasse azerty123 azertyuiop contrasena contraseña senha123 haslo123 wachtwoord salasana jelszo lozinka
schatz schalke04 1234qwerasdf xxx123 abc1234 abcd123 abcde12345 abcd12345 secret123 trustme trustno1! letmein!
password! password1! password123! passw0rd! p@ssw0rd1 p@ssw0rd123 admin1 admin1234 admin12345 admin@123 admin123!
root123 rootroot toor123 qwerty! qwerty123! welcome! welcome1! welcome123! welcome@123 pass12345 pass@123 passwd
passme cheese1 cookie1 strawberry blueberry pineapple watermelon tinkerbell smokey1 shadow123 ashley1 jennifer1
michelle1 nicole1 samantha1 alejandro francisco jesuschrist forever1 together
`;
/** Shorter words stand in too many passwords that nobody guesses by them. */
const MIN_WORD_LENGTH = 5;

let passwords: Promise<ReadonlySet<string>> | undefined;

/** Returns true for one of the most common passwords, in any capitalization. */
export async function isCommonPassword(password: string): Promise<boolean> {
  return (await (passwords ??= readPasswords())).has(password.toLowerCase());
}

/** Returns true for a password that is one of these words, with nothing but digits and signs about it. */
export function isWordOfContext(password: string, words: readonly string[]): boolean {
  const core = coreOf(password);
  return words.some((word) => word.length >= MIN_WORD_LENGTH && core === coreOf(word));
}

function coreOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}]/gu, '');
}

/** The list takes time to unpack, which most commands have no use for. */
async function readPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const listed = dictionary['passwords-common'].filter((password) => password.length >= MIN_LENGTH);
  return new Set([...listed.slice(0, COUNT), ...RECENT.trim().split(/\s+/)]);
}
