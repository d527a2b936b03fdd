/**
 * The most common passwords in the breaches of recent years, which guessers try first. Lower case. Those shorter than
 * six characters are left out: they are refused for their length.
 */
const LIST = `
123456 password 12345678 qwerty 123456789 111111 1234567 dragon 123123 baseball abc123 football monkey letmein
696969 shadow master 666666 qwertyuiop 123321 mustang 1234567890 michael 654321 superman 1qaz2wsx 7777777 121212
000000 qazwsx 123qwe killer trustno1 jordan jennifer zxcvbnm asdfgh hunter buster soccer harley batman andrew
tigger sunshine iloveyou charlie robert thomas hockey ranger daniel starwars klaster 112233 george computer
michelle jessica pepper zxcvbn 555555 11111111 131313 freedom 777777 maggie 159753 aaaaaa ginger princess joshua
cheese amanda summer ashley nicole chelsea biteme matthew access yankees 987654321 dallas austin thunder taylor
matrix william corvette martin heather secret merlin diamond 1234qwer gfhjkm hammer silver 222222 88888888
anthony justin bailey q1w2e3r4t5 patrick internet scooter orange golfer cookie richard samantha bigdog guitar
jackson whatever mickey chicken sparky snoopy maverick phoenix camaro peanut morgan welcome falcon cowboy
ferrari samsung andrea smokey steelers joseph mercedes dakota arsenal eagles melissa boomer spider nascar
monster tigers yellow xxxxxx 123123123 gateway marina diablo bulldog qwer1234 compaq purple hardcore banana
junior hannah 123654 porsche lakers iceman cowboys 987654 london tennis 999999 ncc1701 coffee scooby miller
boston q1w2e3r4 brandon yamaha chester mother forever johnny edward 333333 oliver redsox player nikita knight
fender barney midnight please brandy chicago badboy slayer rangers charles flower bigdaddy rabbit wizard rachel
barbie steven pookie 147258369 newyork 1qazxsw2 qweasdzxc asdfghjkl qazwsxedc 1q2w3e4r 1q2w3e4r5t 1q2w3e
zaq12wsx zaq1zaq1 password1 password12 password123 password1234 passw0rd p@ssw0rd p@ssword pa55word pa55w0rd
passwort admin123 administrator changeme changeit default welcome1 welcome123 letmein1 letmein123 qwerty1
qwerty12 qwerty123 qwerty1234 qwertyui qwertz asdf1234 asdfasdf asdf123 abcd1234 abcdef abcdefg abcdefgh abcabc
a1b2c3 a1b2c3d4 aa123456 aaaaaaaa 12341234 123456a 123456abc 1234567a a123456 a12345678 a123456789 abc12345
abc123456 123abc 147147 147258 159357 159951 102030 101010 100200 123456654321 1234554321 12344321 123454321
12345679 0987654321 098765 987654321a 111222 111222333 112358 11223344 1122334455 121314 123098 123789 1237895
135790 142536 147852 159159 198700 199000 212121 232323 246810 252525 258258 258456 313131 321321 369369 420420
456123 456456 456789 505050 741852 741852963 753951 789456 789456123 852456 987456321 99999999 999999999
44444444 444444 33333333 22222222 55555555 66666666 77777777 00000000 0123456789 012345 0123456 01234567
012345678 iloveyou1 iloveyou2 iloveu loveme lovely loveyou babygirl sweetheart sunshine1 princess1 football1
baseball1 basketball superman1 batman123 pokemon naruto minecraft fortnite starwars1 dragon1 monkey1 monkey123
shadow1 master123 michael1 jordan23 charlie1 liverpool manchester barcelona realmadrid juventus chelsea1
arsenal1 rangers1 celtic everton startrek gandalf hobbit nirvana metallica slipknot blink182 eminem greenday
hello123 hellokitty hello1 helloworld test123 test1234 testing testing123 testtest tester temp123 temporary
user123 username login123 system oracle postgres server service support helpdesk office computer1 internet1
google facebook linkedin instagram twitter whatsapp youtube microsoft windows samsung1 playstation nintendo
january february august september october november december monday tuesday wednesday thursday friday saturday
sunday spring autumn winter summer1 summer123 winter1 spring1 summer2020 summer2021 summer2022 summer2023
summer2024 summer2025 winter2020 winter2021 winter2022 winter2023 winter2024 winter2025 welcome2020 welcome2021
welcome2022 welcome2023 welcome2024 welcome2025 password2020 password2021 password2022 password2023 password2024
password2025 california florida america canada mexico brasil brazil germany france russia pakistan hongkong
singapore berlin amsterdam sydney melbourne qwe123 qweqwe qweasd qweewq qwaszx qazxsw qazwsx123 wsxedc edcrfv
poiuytrewq poiuyt lkjhgfdsa mnbvcxz mnbvcxz1 zxcvbnm1 zxcvbnm123 zxcasdqwe asdzxc asdqwe asdqwe123 1a2b3c
1a2b3c4d 1qaz2wsx3edc 1qaz1qaz 2wsx3edc 3edc4rfv q1w2e3 qwerasdf qwert12345 qwert123 asdfgh1 zxcvb123 hejsan
hallo123 bonjour motdepasse azerty azerty123 azertyuiop contrasena contraseña senha123 parola haslo123
wachtwoord salasana jelszo lozinka geheim schatz schalke04 123456qwerty qwerty123456 123456q 123qweasd
123qweasdzxc 1234qwerasdf 123456aa 12qwaszx 1q2w3e4r5t6y q1w2e3r4t5y6 zxc123 xxx123 asd123 qaz123 abc1234
abcd123 abcde12345 abcd12345 secret123 secret1 private trustme trustno1! letmein! password! password1!
password123! passw0rd! p@ssw0rd1 p@ssw0rd123 admin1 admin1234 admin12345 admin@123 admin123! root123 rootroot
toor123 qwerty! qwerty123! welcome! welcome1! welcome123! welcome@123 pass123 pass1234 pass12345 pass@123
passpass passwd passme passion cheese1 cookie1 chocolate strawberry blueberry pineapple watermelon butterfly
rainbow unicorn dolphin elephant panther leopard jaguar kitten doggie bubbles tinkerbell snowball smokey1
shadow123 ashley1 jessica1 jennifer1 michelle1 nicole1 samantha1 elizabeth victoria alexander alexandra
christopher christian jonathan benjamin nicholas gabriel sebastian fernando carlos alejandro francisco antonio
angela brittany stephanie amanda1 melissa1 patricia veronica natalie natasha vanessa valentina isabella sophia
olivia jasmine destiny diamond1 crystal precious heaven angel1 angels jesus1 jesuschrist christ church blessed
family friends friend forever1 together
`;

const passwords: ReadonlySet<string> = new Set(LIST.trim().split(/\s+/));

/** Returns true for one of the most common passwords, in any capitalization. */
export function isCommonPassword(password: string): boolean {
  return passwords.has(password.toLowerCase());
}
