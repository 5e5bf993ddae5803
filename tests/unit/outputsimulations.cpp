// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/outputtests.h"

#include <QTest>

using namespace Qt::StringLiterals;

namespace trainyard
{

// Simulations, solvers and searches by generations: what they print in rows of their own.
void OutputTests::addSimulations()
{
    QTest::newRow("rows that say in front what they are")
        << QByteArray("ETITLE:      TS           BOND          TOTAL           TEMP\n\n"
                      "Info: waiting for 3 patches\n"
                      "ENERGY:       0      4482.5000   -266260.2500         0.0000\n"
                      "LINE MINIMIZER BRACKET: DX 1 2 DU 3 4\n"
                      "ENERGY:     100      4480.5000   -266250.2500       298.5000\n")
        << QStringList{u"BOND | step 0 = 4482.5"_s, u"TOTAL | step 0 = -266260.25"_s, u"TEMP | step 0 = 0"_s,
               u"BOND | step 100 = 4480.5"_s, u"TOTAL | step 100 = -266250.25"_s, u"TEMP | step 100 = 298.5"_s}
        << u"- -"_s;
    QTest::newRow("rows with names in front, below a header without one")
        << QByteArray(
               "       N       E                     dE             d eps       ncg     rms          rms(c)\n"
               "DAV:   1     0.148125000000E+02    0.14500E+02   -0.70500E+02   480   0.20500E+02\n"
               "RMM:   2    -0.110625000000E+02   -0.25500E+02   -0.24500E+02   624   0.50000E+01    0.12500E+00\n")
        << QStringList{u"E | step 1 = 14.8125"_s, u"dE | step 1 = 14.5"_s, u"d eps | step 1 = -70.5"_s,
               u"rms | step 1 = 20.5"_s, u"E | step 2 = -11.0625"_s, u"dE | step 2 = -25.5"_s,
               u"d eps | step 2 = -24.5"_s, u"rms | step 2 = 5"_s, u"rms(c) | step 2 = 0.125"_s}
        << u"- -"_s;
    QTest::newRow("a column N without names in front of its rows")
        << QByteArray("N       mean                  std            min\n"
                      "100     0.5                   0.25           0.125\n")
        << QStringList() << u"- -"_s;
    QTest::newRow("generations") << QByteArray("Gen 3: mean=0.5 best=0.75\n"
                                               "Gen 4: mean=0.625 best=0.875\n"
                                               "gen 5: mean 0.25, best so far 0.875\n")
                                 << QStringList{u"mean | round 3 = 0.5"_s, u"best | round 3 = 0.75"_s,
                                        u"mean | round 4 = 0.625"_s, u"best | round 4 = 0.875"_s}
                                 << u"- -"_s;
    QTest::newRow("cycles") << QByteArray("kinetic-energy cutoff = 30.5 Ry\n"
                                          "cycle= 1 E= -76.5  delta_E= -0.125  |g|= 0.5\n"
                                          "cycle= 2 E= -76.75  delta_E= -0.25  |g|= 0.25\n"
                                          "Cycle time: 0.5 s\n")
                            << QStringList{u"E | iteration 1 = -76.5"_s, u"delta_E | iteration 1 = -0.125"_s,
                                   u"E | iteration 2 = -76.75"_s, u"delta_E | iteration 2 = -0.25"_s}
                            << u"- -"_s;
}

} // namespace trainyard
