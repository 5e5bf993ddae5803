// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

// Reads the sources of the window and fails where text could reach Qt's HTML by another way than the helpers of
// widgets/common/labels: Qt renders what looks like HTML, and loads the pictures that it names.
class TstPlainSource : public QObject
{
    Q_OBJECT

    // The last argument of the call whose opening bracket ends at `from`.
    static QString lastArgument(const QString &text, qsizetype from)
    {
        int depth = 1;
        bool quoted = false;
        qsizetype start = from;
        for (qsizetype i = from; i < text.size(); ++i) {
            const QChar c = text.at(i);
            if (quoted) {
                i += c == QLatin1Char('\\') ? 1 : 0;
                quoted = c != QLatin1Char('"');
            } else if (c == QLatin1Char('"')) {
                quoted = true;
            } else if (c == QLatin1Char('\'')) {
                i += i + 1 < text.size() && text.at(i + 1) == QLatin1Char('\\') ? 3 : 2;
            } else if (QStringView(u"([{").contains(c)) {
                ++depth;
            } else if (QStringView(u")]}").contains(c) && --depth == 0) {
                return text.mid(start, i - start).trimmed();
            } else if (c == QLatin1Char(',') && depth == 1) {
                start = i + 1;
            }
        }
        return {};
    }

    static QStringList faultsOf(const QString &text)
    {
        QStringList faults;
        static const QRegularExpression tip(QStringLiteral("\\bset(?:Tab)?ToolTip\\("));
        static const QRegularExpression words(QStringLiteral("^(?:\\w+::)?tr\\(\"[^?]*$"));
        for (auto found = tip.globalMatch(text); found.hasNext();) {
            const QString argument = lastArgument(text, found.next().capturedEnd());
            const bool isOurs = words.match(argument).hasMatch() && !argument.contains(QStringLiteral(".arg("));
            if (!isOurs && !argument.startsWith(QStringLiteral("plainTip("))) {
                faults.append(QStringLiteral("a tooltip without plainTip(): ") + argument);
            }
        }
        for (const char *pattern : {"\\bnew QLabel\\b", "\\bsetTextFormat\\(Qt::(?:AutoText|MarkdownText)",
                 "\\bQMessageBox::(?:information|question|warning|critical|about)\\(", "\\bsetHtml\\(",
                 "\\bsetWhatsThis\\("}) {
            const auto match = QRegularExpression(QLatin1String(pattern)).match(text);
            if (match.hasMatch()) {
                faults.append(match.captured() + QStringLiteral(": use the helpers of widgets/common/labels"));
            }
        }
        return faults;
    }

private Q_SLOTS:
    void textsGoThroughTheHelpers()
    {
        const QString source = qEnvironmentVariable("TRAINYARD_SOURCE");
        QVERIFY2(!source.isEmpty(), "TRAINYARD_SOURCE names the source folder");
        QStringList wrong;
        int files = 0;
        for (const QString &top : {QStringLiteral("widgets"), QStringLiteral("app/gui")}) {
            QDirIterator it(source + QLatin1Char('/') + top, {QStringLiteral("*.h"), QStringLiteral("*.cpp")},
                QDir::Files, QDirIterator::Subdirectories);
            while (it.hasNext()) {
                QFile file(it.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                ++files;
                if (file.fileName().endsWith(QStringLiteral("widgets/common/labels.cpp"))) {
                    continue;
                }
                const QStringList faults = faultsOf(QString::fromUtf8(file.readAll()));
                for (const QString &fault : faults) {
                    wrong.append(QDir(source).relativeFilePath(file.fileName()) + QStringLiteral(": ") + fault);
                }
            }
        }
        QVERIFY2(files > 50, "the sources were found");
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    }

    void aFaultIsSeen_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("good");
        QTest::newRow("words of ours") << QStringLiteral("a->setToolTip(tr(\"Find (Ctrl+F)\"));") << true;
        QTest::newRow("by the helper") << QStringLiteral("setToolTip(plainTip(job.name));") << true;
        QTest::newRow("of a cell") << QStringLiteral("item->setToolTip(2, plainTip(x));") << true;
        QTest::newRow("data") << QStringLiteral("setToolTip(job.name);") << false;
        QTest::newRow("data of a cell") << QStringLiteral("item->setToolTip(2, name);") << false;
        QTest::newRow("data in words") << QStringLiteral("setToolTip(tr(\"Job %1\").arg(name));") << false;
        QTest::newRow("label") << QStringLiteral("auto *l = new QLabel(name);") << false;
        QTest::newRow("box") << QStringLiteral("QMessageBox::warning(this, a, b);") << false;
    }
    void aFaultIsSeen()
    {
        QFETCH(QString, text);
        QFETCH(bool, good);
        QCOMPARE(faultsOf(text).isEmpty(), good);
    }
};

TRAINYARD_TEST(TstPlainSource)
#include "tst_plainsource.moc"
