// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/common/tokens.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

using namespace trainyard;

namespace
{

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

Triple product(const Matrix &matrix, const Triple &with)
{
    Triple result{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            result[i] += matrix[i][j] * with[j];
        }
    }
    return result;
}

// How a colour is seen: Machado, Oliveira and Fernandes 2009, each deficiency as a whole.
constexpr Matrix everyColour{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix noRed{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix noGreen{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix noBlue{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

// CIELAB with the white of D65, of a colour as it is seen.
Triple labOf(const QColor &colour, const Matrix &seen)
{
    constexpr Matrix toXyz{
        {{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}};
    constexpr Triple white{0.95047, 1, 1.08883};
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    Triple light = product(seen, {linear(colour.redF()), linear(colour.greenF()), linear(colour.blueF())});
    for (double &part : light) {
        part = std::clamp(part, 0.0, 1.0);
    }
    const Triple xyz = product(toXyz, light);
    Triple f{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double t = xyz[i] / white[i];
        f[i] = t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    }
    return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

double hueOf(double a, double b)
{
    const double degrees = std::atan2(b, a) * 180 / std::numbers::pi;
    return degrees < 0 ? degrees + 360 : degrees;
}

// CIEDE2000, with the names that its formula has.
double difference(const Triple &one, const Triple &other)
{
    const auto seventh = [](double c) { return std::sqrt(std::pow(c, 7) / (std::pow(c, 7) + std::pow(25.0, 7))); };
    const double c = (std::hypot(one[1], one[2]) + std::hypot(other[1], other[2])) / 2;
    const double g = 1.5 - seventh(c) / 2;
    const double a1 = one[1] * g, a2 = other[1] * g;
    const double c1 = std::hypot(a1, one[2]), c2 = std::hypot(a2, other[2]);
    const double h1 = hueOf(a1, one[2]), h2 = hueOf(a2, other[2]);
    const bool isGrey = c1 * c2 == 0;
    double turn = isGrey ? 0 : h2 - h1;
    turn += turn > 180 ? -360 : turn < -180 ? 360 : 0;
    const double dl = other[0] - one[0], dc = c2 - c1, dh = 2 * std::sqrt(c1 * c2) * std::sin(radians(turn / 2));
    const double l = (one[0] + other[0]) / 2, cm = (c1 + c2) / 2;
    const double sum = h1 + h2;
    const double h = isGrey ? sum : std::abs(h1 - h2) <= 180 ? sum / 2 : sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2;
    const double t = 1 - 0.17 * std::cos(radians(h - 30)) + 0.24 * std::cos(radians(2 * h))
        + 0.32 * std::cos(radians(3 * h + 6)) - 0.2 * std::cos(radians(4 * h - 63));
    const double sl = 1 + 0.015 * (l - 50) * (l - 50) / std::sqrt(20 + (l - 50) * (l - 50));
    const double sc = 1 + 0.045 * cm, sh = 1 + 0.015 * cm * t;
    const double rt = -std::sin(radians(60 * std::exp(-std::pow((h - 275) / 25, 2)))) * 2 * seventh(cm);
    return std::sqrt(std::pow(dl / sl, 2) + std::pow(dc / sc, 2) + std::pow(dh / sh, 2) + rt * dc / sc * dh / sh);
}

} // namespace

// The colours of curves can be told apart, also where red, green or blue is not seen.
class TstSeriesColours : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Pairs that the authors of the formula have published: else nothing below would mean anything.
    void differenceIsCiede2000()
    {
        const auto isNear = [](double found, double wanted) { return std::abs(found - wanted) < 1e-4; };
        QVERIFY(isNear(difference({50, 2.6772, -79.7751}, {50, 0, -82.7485}), 2.0425));
        QVERIFY(isNear(difference({50, 2.5, 0}, {73, 25, -18}), 27.1492));
        QVERIFY(isNear(difference({2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}), 0.9082));
    }

    void everyTwoCanBeToldApart_data()
    {
        QTest::addColumn<Theme>("theme");
        QTest::addColumn<int>("missing"); // 0: none; 1 to 3: red, green, blue
        QTest::addColumn<double>("least");
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            const char *name = theme == Theme::Light ? "light" : "dark";
            QTest::addRow("%s, every colour is seen", name) << theme << 0 << 21.0;
            QTest::addRow("%s, no red", name) << theme << 1 << 11.5;
            QTest::addRow("%s, no green", name) << theme << 2 << 11.5;
            QTest::addRow("%s, no blue", name) << theme << 3 << 7.5; // of one in ten thousand people
        }
    }
    void everyTwoCanBeToldApart()
    {
        QFETCH(const Theme, theme);
        QFETCH(const int, missing);
        QFETCH(const double, least);
        const std::array<Matrix, 4> ways{everyColour, noRed, noGreen, noBlue};
        std::vector<Triple> series;
        for (int i = 0; i < seriesCount; ++i) {
            series.push_back(labOf(colour(lookColour(i), theme), ways.at(std::size_t(missing))));
        }
        QStringList poor;
        for (std::size_t i = 0; i < series.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (const double found = difference(series[i], series[j]); found < least) {
                    poor.append(QStringLiteral("%1 and %2: %3").arg(j + 1).arg(i + 1).arg(found));
                }
            }
        }
        QVERIFY2(poor.isEmpty(), qPrintable(poor.join(QStringLiteral("; "))));
    }
};

TRAINYARD_GUI_TEST(TstSeriesColours)
#include "tst_seriescolours.moc"
