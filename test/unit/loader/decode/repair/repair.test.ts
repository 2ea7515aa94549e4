import { deepEqual } from 'node:assert/strict';
import { read } from '../read.ts';

const same = (garbled: string, sound: string, station?: string) =>
  deepEqual(read(garbled, station), { ...read(sound, station), unexplained: [] });

describe('repair', () => {
  it('joins what was torn apart', () => {
    same('30005 KT 9999', '30005KT 9999');
    same('9999 SCT 018 BKN 030CB', '9999 SCT018 BKN030CB');
    same('10 SM', '10SM');
    same('P6 SM', 'P6SM');
    same('1 1/2SMBR', '1 1/2SM BR');
    same('12/08 QNH 1012', '12/08 Q1012');
    same('12/08 Q10 12', '12/08 Q1012');
    same('VC SH', 'VCSH');
    same('C A V O K', 'CAVOK');
    same('8000 N S C 30/22', '8000 NSC 30/22');
    same('12/08 Q1012 NO SIG', '12/08 Q1012 NOSIG');
    same('12/08 Q1012 RE RA', '12/08 Q1012 RERA');
    same('12/08 Q1012 RM K CB SE', '12/08 Q1012 RMK CB SE');
    same('5000 W 1500 S BR', '5000W 1500S BR');
    for (const torn of ['FEW CB018', 'FEW CB 018', 'FEW 018 CB', 'FEW018 (CB)']) same(torn, 'FEW018CB');
    same('FBL RA', '-RA');
    same('HVY SHRA', '+SHRA');
    same('MOD RA', 'RA');
    same('28014G2 3KT 9999', '28014G23KT 9999');
    same('VRB04G1 6KT', 'VRB04G16KT');
    for (const torn of ['330 08KT', '3 3008KT', '33008 KT']) same(`${torn} 9999`, '33008KT 9999');
    same('VRB 02KT 150V 210', 'VRB02KT 150V210');
    for (const torn of ['SC T018', 'SCT0 18']) same(`9999 ${torn}`, '9999 SCT018');
    for (const torn of ['23 /21', '2 3/21', '23/ 21']) same(`${torn} Q1008`, '23/21 Q1008');
    for (const torn of ['N OSIG', 'NO SIG', 'NOS IG', 'NOSI G'])
      same(`23/21 Q1008 ${torn}`, '23/21 Q1008 NOSIG');
    same('CAV OK', 'CAVOK');
    same('12/08 Q1 009RMK CB W', '12/08 Q1009 RMK CB W');
    same('12/08 Q10 09RMK CB W', '12/08 Q1009 RMK CB W');
    deepEqual(read('28014G2 8KT').fields.wgst_kt, 28);
    deepEqual(read('28024G1 8KT').unexplained, ['28024G1', '8KT']);
    deepEqual(read('9999 SCT01 8').unexplained, ['SCT01', '8']);
    deepEqual(read('12/08 Q1 09RMK').unexplained, ['Q1', '09RMK']);
  });

  it('reads a temperature without its solidus between the sky and a QNH', () => {
    same('9999 SCT030 1612 Q1009', '9999 SCT030 16/12 Q1009');
    same('9999 SCT030 16 12 Q1009', '9999 SCT030 16/12 Q1009');
    same('CAVOK 01 M04 Q1009', 'CAVOK 01/M04 Q1009');
    same('9999 SCT030 21.M03 Q1009', '9999 SCT030 21/M03 Q1009');
  });

  it('takes no other figures for a temperature', () => {
    for (const [body, tokens] of [
      ['9999 SCT030 1216 Q1009', ['1216']],
      ['9999 SCT030 12 16 Q1009', ['12', '16']],
      ['9999 1612 SCT030 Q1009', ['1612']],
      ['CAVOK 1006 A2970', ['1006']],
      ['9999 SCT030 16 12 A2980', ['16', '12']],
      ['9999 SCT030 16/12 16 12 Q1009', ['16', '12']],
      ['9999 SCT030 7012 Q1009', ['7012']],
      ['9999 SCT030 16M12 Q1009', ['16M12']],
      ['9999 SCT030 21.3 Q1009', ['21.3']],
    ] as const)
      deepEqual(read(body).unexplained, tokens, body);
  });

  it('drops one stray character between whole groups', () => {
    same('24008KTL7000', '24008KT 7000');
    same('24008G18KTW210V270', '24008G18KT 210V270');
    same('24008KT 210V270?9999', '24008KT 210V270 9999');
    same('SCT030@12/08', 'SCT030 12/08');
    same('SCT030CB?12/08', 'SCT030CB 12/08');
    same('NSCX12/M01', 'NSC 12/M01');
    same('24008KT79999', '24008KT 9999');
    same('24009PG14KT', '24009G14KT');
    same('12/08 1Q1009', '12/08 Q1009');
    same('12/08N Q1009', '12/08 Q1009');
    same('12/08 Q1009@A2980', '12/08 Q1009 A2980');
    same('24008KTLCAVOK', '24008KT CAVOK');
    same('34/08?Q1016', '34/08 Q1016');
  });

  it('keeps a character that may belong to a group', () => {
    for (const token of ['24008KTM0400', '24008KTP6000', '12/08M', '12/081', 'SCT030T12/08'])
      deepEqual(read(token).unexplained, [token]);
    for (const token of ['SCT02?12/08', '0000KTL8000', 'Q101?A2980'])
      deepEqual(read(token).unexplained, [token]);
  });

  it('parts what was run together', () => {
    same('30/26Q1007', '30/26 Q1007');
    same('NSC17/05', 'NSC 17/05');
    same('SCT02030/26Q1007NOSIG', 'SCT020 30/26 Q1007 NOSIG');
    same('24008KT9999', '24008KT 9999');
    same('5000BR', '5000 BR');
    same('R36/1500DR18/P2000', 'R36/1500D R18/P2000');
    same('10SM-RA', '10SM -RA');
    same('1/2SMOVC003', '1/2SM OVC003');
    same('9999SCT020', '9999 SCT020');
    same('AUTO24008KT', 'AUTO 24008KT');
    same('12/08 Q1014/A2996/', '12/08 Q1014 A2996');
    same('12/08 Q1012RMK CB W', '12/08 Q1012 RMK CB W');
    same('12/08 Q1012RERA', '12/08 Q1012 RERA');
    same('12/08 Q1012 TEMPO-RA', '12/08 Q1012 TEMPO -RA');
    same('12/08 Q1012 NOSIG.CB.SW', '12/08 Q1012 NOSIG CB.SW');
    same('-SNBLSN', '-SN BLSN');
    same('BCFG-BR', 'BCFG -BR');
    for (const glued of ['7000NIL SCT018', '7000 NILSCT018', '7000NILSCT018'])
      same(`33003KT ${glued} 23/21 Q1008NIL`, '33003KT 7000 SCT018 23/21 Q1008');
  });

  it('mends spelling', () => {
    same('000O0KT', '00000KT');
    same('12/08 Q1OO9', '12/08 Q1009');
    same('0VC025 SCTO30 BKN1OO', 'OVC025 SCT030 BKN100');
    same('12/08 QNH1009MB', '12/08 Q1009');
    same('12/08 QNH2992INS', '12/08 A2992');
    same('12/08 Q.1020', '12/08 Q1020');
    same('12/08 Q999', '12/08 Q0999');
    same('FEWCB027 SCT018CB/N', 'FEW027CB SCT018CB');
    same('17/-05', '17/M05');
    same('12/08 Q1007. NOSG', '12/08 Q1007 NOSIG');
    same('sct018 10/08', 'SCT018 10/08');
    same('FEW(CB)030 SCT018(TCU) BKN016CBNE-W', 'FEW030CB SCT018TCU BKN016CB');
    same('FWE026CB OV013 BNK060', 'FEW026CB OVC013 BKN060');
    same('SCT010 CB/S', 'SCT010CB');
    same('HAZE', 'HZ');
    same('SMOKE', 'FU');
    same('9/9', '9999');
    same('99999', '9999');
    same('9999SM', '9999');
    same('9999 NS 12/08', '9999 NSC 12/08');
    same('18009KT 150-230', '18009KT 150V230');
    same('18009/21KT', '18009G21KT');
    same('18004/09MPS', '18004G09MPS');
    same('12/08 QXXXX', '12/08 Q////');
    same('12/08 Q1012 R30/290050/', '12/08 Q1012 R30/290050');
    same('12/08 Q1012 32LRD70', '12/08 Q1012 32CLRD70');
    same('12/08 Q1012 R23/GLRD60', '12/08 Q1012 R23/CLRD60');
    same('12/08 Q1012 R1472//60', '12/08 Q1012 R14/72//60');
    same('30/18 Q10145 A2996', '30/18 Q1014.5 A2996');
    for (const slip of ['NOSIL', 'NOSNG', 'N0SIG', 'XNOSIG', 'XNOSIL', 'NOSIG2', 'NOSGI', 'NSG'])
      same(`12/08 Q1012 ${slip}`, '12/08 Q1012 NOSIG');
    same('12/08 Q1012 TEMP 0700 FG', '12/08 Q1012 TEMPO 0700 FG');
  });

  it('reads the letters of the wind where one slip makes them', () => {
    for (const slip of 'VBR06G18KT VAB06G18KT VRN06G18KT RVB06G18KT VRB06G18TK VRB06GT18KT VRB06G18KRT'.split(
      ' ',
    ))
      same(`${slip} 9999`, 'VRB06G18KT 9999');
    for (const slip of '21006GT18KT 210G06G18KT 21006GG18KT 21006G18TK 21006G18KR 21006G18KTT'.split(' '))
      same(`${slip} 9999`, '21006G18KT 9999');
    for (const slip of ['21006G18MPSM', '21006G18M/S', '210G06G18MPS'])
      same(`${slip} 9999`, '21006G18MPS 9999');
    for (const token of ['210G18KT', '21006GKT', '2106KT', '21006G18G25KT'])
      deepEqual(read(token).unexplained, [token]);
  });

  it('drops a stray unit, solidus or sign', () => {
    same('24008KT 210V270KT', '24008KT 210V270');
    for (const wind of ['/24008KT', '//24008KT', '24008KT/']) same(`${wind} 9999`, '24008KT 9999');
    same('/3/4SM BR', '3/4SM BR');
    same('/11SM', '11SM');
    same('R24L/3000VP6000F', 'R24L/3000VP6000FT');
    same('R24/2400FU', 'R24/2400FTU');
    for (const sign of ['_', '\u2013']) same(`4000 ${sign}SHRA`, '4000 -SHRA');
    same('SCT020 12//08', 'SCT020 12/08');
    same('SCT020 02//M01', 'SCT020 02/M01');
    for (const token of ['/4SM', '/0350X', '12///08', '_4000']) deepEqual(read(token).unexplained, [token]);
  });

  it('reads weather in words, or with its descriptor behind it', () => {
    for (const [words, wx] of [
      ['MIST', 'BR'],
      ['FOG', 'FG'],
      ['SAND', 'SA'],
      ['-DRIZZLE', '-DZ'],
      ['HEAVY RAIN', '+RA'],
      ['-SNSH', '-SHSN'],
      ['+RATS', '+TSRA'],
      ['DZFZ', 'FZDZ'],
      ['SNBL', 'BLSN'],
      ['FGBC', 'BCFG'],
    ] as const)
      same(`3000 ${words} SCT010 12/08`, `3000 ${wx} SCT010 12/08`);
    deepEqual(read('9999 SCT010 12/08 Q1012 FOG').unexplained, ['FOG']);
    deepEqual(read('9999 BL VA SCT010').unexplained, ['BL']);
  });

  it('parts weather and layers', () => {
    same('9999 -SHRAFEW012SCT025CBBKN///', '9999 -SHRA FEW012 SCT025CB BKN///');
    same('9999 SCT///TCUBKN040', '9999 SCT///TCU BKN040');
    same('4000 HZNSC 31/12', '4000 HZ NSC 31/12');
    same('4000BRBKN005', '4000 BR BKN005');
    same('24008G18KTSCT030', '24008G18KT SCT030');
    same('VRB02KTCLR', 'VRB02KT CLR');
    same('9999 SK 31/12', '9999 SKC 31/12');
    for (const token of ['SCT0250', 'FEW015CV', 'RAXSCT010']) deepEqual(read(token).unexplained, [token]);
  });

  it('reads figures with a slip that another group confirms', () => {
    for (const slip of ['Q101?', 'Q81019', 'Q119', 'Q2019', 'Q0119'])
      same(`12/08 ${slip} A3010`, '12/08 Q1019 A3010');
    for (const slip of ['A?015', 'A30?5', 'A30155', 'A015', 'A2015'])
      same(`12/08 Q1021 ${slip}`, '12/08 Q1021 A3015');
    for (const slip of ['16/I04', '1?/M04', '016/M04', '16M/04'])
      same(`${slip} A2992 RMK T01611039`, '16/M04 A2992 RMK T01611039');
    same('12/0X A2992 RMK T01190076', '12/08 A2992 RMK T01190076');
    same('M0?/M03 A2992 RMK T10041026', 'M00/M03 A2992 RMK T10041026');
  });

  it('reads no figures that several readings agree with, or none', () => {
    for (const [body, tokens] of [
      ['12/08 Q1021 A301?', ['A301?']],
      ['12/08 Q1021 A30??', ['A30??']],
      ['12/08 Q1021 A?025', ['A?025']],
      ['12/08 Q10?? A3010', ['Q10??']],
      ['12/08 Q103? A3010', ['Q103?']],
      ['12/08 A?015', ['A?015']],
      ['1?/M04 A2992 RMK T01611139', ['1?/M04']],
      ['1?/M04 A2992 RMK 01611039', ['1?/M04']],
    ] as const)
      deepEqual(read(body, 'KJFK').unexplained, tokens, body);
  });

  it('reads a wind without a direction as calm, the only wind that has none', () => {
    for (const slip of ['0000KT', '000P0KT', '0000PKT', '000?0KT']) same(`${slip} 9999`, '00000KT 9999');
    same('0000MPS 9999', '00000MPS 9999');
    deepEqual(read('000P3KT 9999').unexplained, ['000P3KT']);
  });

  it('reads the first figure of a QNH, because only one is possible', () => {
    same('12/08 Q7016', '12/08 Q1016');
    for (const token of ['Q7996', 'Q9960', 'Q1995', 'Q3016', 'Q9016'])
      deepEqual(read(`12/08 ${token}`).unexplained, [token]);
  });

  it('takes what says that nothing was measured for it', () => {
    same('UNAVAILKT 9999', '/////KT 9999');
    same('12/M02 AM RMK SLP///', '12/M02 A//// RMK SLP///');
    deepEqual(read('AM 12/M02').unexplained, ['AM']);
  });

  it('supplies the unit of the wind where it is knots beyond doubt', () => {
    same('10012 9999', '10012KT 9999');
    same('29004K 9999', '29004KT 9999');
    same('12010KTG20KT', '12010G20KT');
    same('310/03KT', '31003KT');
    same('00000KT(E)', '00000KT');
    for (const [wind, stations] of [
      ['10012', ['UUEE', 'ZBAA', 'LBBG', 'LHDC']],
      ['10012K', ['UTTT', 'ZSSS', 'LBBG', 'LHDC']],
      ['10012G20KR', ['UKBB', 'LBBG', 'LHDC']],
      ['VRB02', ['UUEE', 'LBBG']],
      ['100/12', ['LBBG', 'LHDC']],
    ] as const)
      for (const station of stations)
        deepEqual(read(`${wind} 9999 12/08`, station).unexplained, [wind], station);
    deepEqual(read('12/08 A2992 10156', 'KJFK').unexplained, ['10156']);
  });

  it('supplies the letter of a pressure behind the temperature', () => {
    same('28/14 3020', '28/14 A3020');
    same('25/18 1013', '25/18 Q1013');
    same('25/18 Y1013.8', '25/18 Q1013.8');
    deepEqual(read('25/18 3013.8').unexplained, ['3013.8']);
    deepEqual(read('25/18 1500').unexplained, ['1500']);
  });

  it('mends no group out of its place', () => {
    for (const [body, tokens] of [
      ['6000 99999', ['99999']],
      ['12/08 99999', ['99999']],
      ['8888', ['8888']],
      ['SCT030 NS 12/08', ['NS']],
      ['12/08 Q1009 NS', ['NS']],
      ['18009KT 9999 150-230', ['150-230']],
      ['18009KT 152-230', ['152-230']],
      ['18009KT 240-300', ['240V300']],
      ['18021/09KT', ['18021/09KT']],
    ] as const)
      deepEqual(read(body).unexplained, tokens, body);
  });

  it('takes what is one slip from CAVOK or 9999 in the place of the visibility for it', () => {
    for (const slip of ['CAV0K', 'CAOVK', 'CAVKO', 'CAVTK', 'CUVOK', 'CQAVOK', 'CA?OK', 'CAVO'])
      same(`24008KT ${slip} 12/08`, '24008KT CAVOK 12/08');
    for (const slip of ['999', '9?99', '89999', '99999']) same(`24008KT ${slip} 12/08`, '24008KT 9999 12/08');
    same('24008KT 50K FEW020', '24008KT 50KM FEW020');
    for (const body of ['CAVTK 24008KT', '24008KT 5000 CAVTK', '24008KT SCT020 CAVTK', '24008KT 12/08 CAVTK'])
      deepEqual(read(body).unexplained, ['CAVTK'], body);
    for (const token of ['9998', '999M', 'M999', '800', 'VOK'])
      deepEqual(read(`24008KT ${token}`).unexplained, [token]);
  });

  it('takes the first letter of an amount after a whole layer', () => {
    same('SCT030 B100', 'SCT030 BKN100');
    same('SCT018 F020CB BKN080', 'SCT018 FEW020CB BKN080');
    deepEqual(read('B100 SCT030').unexplained, ['B100']);
    deepEqual(read('SCT030 12/08 B100').unexplained, ['B100']);
  });

  it('reads direction and speed with a solidus where the temperature follows', () => {
    same('10SM 350/04 SCT075 31/19', '10SM 35004KT SCT075 31/19');
    deepEqual(read('10SM 120/04').unexplained, ['120/04']);
    deepEqual(read('05007KT 10SM 120/04 12/08').unexplained, ['120/04']);
    deepEqual(read('10SM 350/04 31/19', 'UUEE').unexplained, ['350/04']);
  });

  it('ends a report at the number or the rest of a name before the next one', () => {
    for (const token of ['5', '05', 'SPECIWV'])
      same(`CAVOK 30/19 Q1012=${token} METAR OOMS 130700Z 36006KT`, 'CAVOK 30/19 Q1012');
    deepEqual(read('8000 NSC 34 METAR OIMM 251250Z').unexplained, ['34']);
    deepEqual(read('CAVOK 30/19 Q1012 5').unexplained, ['5']);
  });

  it('does not take the sign behind the weather for punctuation', () => {
    deepEqual([read('RA-').unexplained, read('RA-').fields.wx], [['RA-'], undefined]);
    same('RA.', 'RA');
  });

  it('never guesses a figure', () => {
    const figures = '2?/M07 Q101? FEW?35 SCT02 SCT17 Q101 Q109 Q10145 A300 24O1?KT 0100KT 00?0KT VRB3KT';
    for (const token of figures.split(' ')) deepEqual(read(token).unexplained, [token]);
  });
});
