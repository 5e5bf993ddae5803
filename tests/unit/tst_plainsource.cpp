// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QHash>
#include <QRegularExpression>
#include <QSet>
#include <QTest>
#include <QXmlStreamReader>

// Reads the sources of the window and fails where text could reach Qt's HTML by another way than the helpers of
// widgets/common/labels: Qt renders what looks like HTML, and loads the pictures that it names. And where a count would
// be shown as "job(s)", because its plural was forgotten.
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

    // The texts of a source that count something as "job(s)", without which Qt would show it so.
    static QSet<QString> countsIn(const QString &source)
    {
        static const QRegularExpression call(QStringLiteral("\\btr\\(\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*)+)"));
        static const QRegularExpression piece(QStringLiteral("\"((?:[^\"\\\\]|\\\\.)*)\""));
        QSet<QString> texts;
        for (auto found = call.globalMatch(source); found.hasNext();) {
            QString text;
            for (auto part = piece.globalMatch(found.next().captured(1)); part.hasNext();) {
                text += part.next().captured(1);
            }
            if (text.contains(QStringLiteral("%n")) && text.contains(QStringLiteral("(s)"))) {
                texts.insert(text.replace(QStringLiteral("\\\""), QStringLiteral("\"")));
            }
        }
        return texts;
    }

private Q_SLOTS:
    void countsHaveTheirPlurals()
    {
        const QString source = qEnvironmentVariable("TRAINYARD_SOURCE");
        QFile translations(source + QStringLiteral("/translations/trainyard_en.ts"));
        QVERIFY(translations.open(QIODevice::ReadOnly));
        QXmlStreamReader xml(&translations);
        QHash<QString, int> there; // each class has its own
        while (!xml.atEnd()) {
            if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1StringView("source")) {
                ++there[xml.readElementText()];
            }
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QHash<QString, QStringList> wanted;
        for (const QString &top : {QStringLiteral("widgets"), QStringLiteral("app")}) {
            QDirIterator it(
                source + QLatin1Char('/') + top, {QStringLiteral("*.cpp")}, QDir::Files, QDirIterator::Subdirectories);
            while (it.hasNext()) {
                QFile file(it.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                const QSet<QString> texts = countsIn(QString::fromUtf8(file.readAll()));
                for (const QString &text : texts) {
                    wanted[text].append(QDir(source).relativeFilePath(file.fileName()));
                }
            }
        }
        QVERIFY2(wanted.size() > 20, "the texts were found");
        QStringList missing;
        for (auto it = wanted.cbegin(); it != wanted.cend(); ++it) {
            if (there.value(it.key()) < it->size()) {
                missing.append(it.key() + QStringLiteral(": ") + it->join(QStringLiteral(", ")));
            }
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char('\n'))));
    }

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
