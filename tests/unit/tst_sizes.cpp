// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"

#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QTest>

// Counts the methods and lines of every class in the sources. A class beyond the limit says why in the comment above
// it ("Large because ..."), so that none grows unnoticed into the room where everything is put.
class TstSizes : public QObject
{
    Q_OBJECT

    struct Size {
        int methods = 0, lines = 0;
    };
    static constexpr int mostMethods = 25;
    static constexpr int mostLines = 400;

    // The definitions of methods that stand in the first column: "void X::name(...)" to its last brace.
    static void countIn(const QString &text, QMap<QString, Size> &sizes)
    {
        static const QRegularExpression method(
            QStringLiteral("^(?!using|static_assert|namespace|struct|class)(?:[A-Za-z][^;{}()=]*?\\b)?"
                           "((?:[A-Z]\\w*::)+)(~?\\w+|operator[^(]+)\\("));
        const QStringList lines = text.split(QLatin1Char('\n'));
        for (qsizetype i = 0; i < lines.size(); ++i) {
            const QRegularExpressionMatch match = method.match(lines.at(i));
            if (!match.hasMatch()) {
                continue;
            }
            qsizetype end = i;
            while (end < lines.size() && lines.at(end) != QLatin1String("}")
                && !lines.at(end).endsWith(QLatin1String(" }")) && !lines.at(end).endsWith(QLatin1String(") {}"))
                && !lines.at(end).endsWith(QLatin1Char(';')) && !lines.at(end).endsWith(QLatin1String("= default;"))) {
                if (lines.at(end) == QLatin1String("{")) {
                    while (end + 1 < lines.size() && lines.at(end + 1) != QLatin1String("}")) {
                        ++end;
                    }
                }
                ++end;
            }
            const QString name = match.captured(1).chopped(2);
            const QStringList parts = name.split(QStringLiteral("::"));
            Size &size = sizes[parts.last() == QLatin1String("Private") ? name : parts.last()];
            ++size.methods;
            size.lines += int(end - i) + 1;
            i = end;
        }
    }

    static QMap<QString, QString> sources()
    {
        QMap<QString, QString> all;
        for (const char *top : {"model", "engine", "widgets", "app"}) {
            QDirIterator it(qEnvironmentVariable("TRAINYARD_SOURCE") + QLatin1Char('/') + QLatin1String(top),
                {QStringLiteral("*.h"), QStringLiteral("*.cpp")}, QDir::Files, QDirIterator::Subdirectories);
            while (it.hasNext()) {
                QFile file(it.next());
                if (file.open(QIODevice::ReadOnly)) {
                    all.insert(file.fileName(), QString::fromUtf8(file.readAll()));
                }
            }
        }
        return all;
    }

    static bool saysWhy(const QMap<QString, QString> &sources, const QString &name)
    {
        const QRegularExpression comment(
            QStringLiteral("((?:^//[^\\n]*\\n)+)(?:class|struct) (?:\\w+::)*%1\\b[^;\\n]*$")
                .arg(QRegularExpression::escape(name)),
            QRegularExpression::MultilineOption);
        return std::any_of(sources.cbegin(), sources.cend(), [&comment](const QString &text) {
            for (auto it = comment.globalMatch(text); it.hasNext();) {
                if (QString said = it.next().captured(1);
                    said.replace(QLatin1String("\n// "), QLatin1String(" ")).contains(QLatin1String("Large because"))) {
                    return true;
                }
            }
            return false;
        });
    }

private Q_SLOTS:
    void methodsAreCounted()
    {
        QMap<QString, Size> sizes;
        countIn(QStringLiteral("int free() { return 1; }\n"
                               "Yard::Yard(int size)\n    : m_size(size)\n{\n    grow();\n\n    shrink();\n}\n"
                               "int Yard::size() const { return m_size; }\n"
                               "void Outer::Private::run()\n{\n    if (x) {\n    }\n}\n"
                               "const int Yard::limit = 3;\n"),
            sizes);
        QCOMPARE(sizes.keys(), (QStringList{QStringLiteral("Outer::Private"), QStringLiteral("Yard")}));
        QCOMPARE(sizes.value(QStringLiteral("Yard")).methods, 2);
        QCOMPARE(sizes.value(QStringLiteral("Yard")).lines, 8);
        QCOMPARE(sizes.value(QStringLiteral("Outer::Private")).lines, 5);
    }

    void largeClassesSayWhy()
    {
        const QMap<QString, QString> all = sources();
        QMap<QString, Size> sizes;
        for (auto it = all.cbegin(); it != all.cend(); ++it) {
            countIn(it.value(), sizes);
        }
        QVERIFY2(sizes.size() > 200, qPrintable(QString::number(sizes.size())));
        QStringList wrong;
        for (auto it = sizes.cbegin(); it != sizes.cend(); ++it) {
            if (it->methods > mostMethods || it->lines > mostLines) {
                const bool isSaid = saysWhy(all, it.key());
                qInfo("%s: %d methods, %d lines%s", qPrintable(it.key()), it->methods, it->lines,
                    isSaid ? "" : ", without saying why");
                if (!isSaid) {
                    wrong << it.key();
                }
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QStringLiteral(", "))));
    }
};

TRAINYARD_TEST(TstSizes)
#include "tst_sizes.moc"
