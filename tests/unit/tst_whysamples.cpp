// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/whyfailed.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// The outputs of tests/data/why-samples.txt, each with its cause, its line and the place in the user's code.
class TstWhySamples : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void samples_data();
    void samples();
    void anyEndOfThem();
};

namespace
{

struct Sample {
    QString name, cause, evidence, frame;
    int status = 0;
    QByteArray output;
};

QByteArray unescaped(QByteArrayView text)
{
    QByteArray plain;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            plain += text[i];
            continue;
        }
        const char what = text[++i];
        plain += what == 'r' ? "\r" : what == 'e' ? "\x1b" : what == '0' ? "" : "\\";
        i += what == '0' ? 1 : 0; // and the line break
    }
    return plain;
}

QList<Sample> allSamples()
{
    QFile file(qEnvironmentVariable("TRAINYARD_SOURCE") + u"/tests/data/why-samples.txt"_s);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    QList<Sample> all;
    const QByteArray text = file.readAll();
    constexpr QByteArrayView mark = "\n=== ";
    for (qsizetype at = text.indexOf(mark); at >= 0;) {
        const qsizetype begin = at + mark.size(), end = text.indexOf('\n', begin);
        const qsizetype next = text.indexOf(mark, end - 1);
        const QStringList head = QString::fromUtf8(QByteArrayView(text).sliced(begin, end - begin)).split(u" | "_s);
        const QByteArrayView output
            = QByteArrayView(text).sliced(end + 1, (next < 0 ? text.size() : next + 1) - end - 1);
        if (head.size() == 5) {
            all.append({head.at(0), head.at(2), head.at(3), head.at(4), head.at(1).toInt(), unescaped(output)});
        }
        at = next;
    }
    return all;
}

} // namespace

void TstWhySamples::samples_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("cause");
    QTest::addColumn<QString>("evidence");
    QTest::addColumn<QString>("frame");
    const QList<Sample> all = allSamples();
    QVERIFY(all.size() > 200);
    for (const Sample &sample : all) {
        QTest::newRow(qPrintable(sample.name))
            << sample.status << sample.output << sample.cause << QString::fromUtf8(unescaped(sample.evidence.toUtf8()))
            << sample.frame;
    }
}

void TstWhySamples::samples()
{
    QFETCH(int, status);
    QFETCH(QByteArray, output);
    QFETCH(QString, evidence);
    QFETCH(QString, frame);
    const FailureFacts facts = core::whyFailed(FailureCauses::bundled(), {.status = status, .output = output});
    QTEST(facts.cause, "cause");
    QVERIFY2(facts.text.contains(evidence), qPrintable(facts.text));
    const QString place
        = facts.file.isEmpty() ? QString() : facts.file.section(u'/', -1) + u':' + QString::number(facts.fileLine);
    QVERIFY2(frame.isEmpty() || place == frame, qPrintable(place));
}

// Outputs are cut anywhere while they are written; no cut may do harm.
void TstWhySamples::anyEndOfThem()
{
    const QList<Sample> all = allSamples();
    for (const Sample &sample : all) {
        for (qsizetype size = sample.output.size() - 1; size > 0; size -= 97) {
            const FailureFacts facts = core::whyFailed(FailureCauses::bundled(),
                {.status = sample.status, .output = QByteArrayView(sample.output).first(size)});
            QVERIFY2(!facts.cause.isEmpty(), qPrintable(sample.name));
        }
    }
}

TRAINYARD_TEST(TstWhySamples)
#include "tst_whysamples.moc"
