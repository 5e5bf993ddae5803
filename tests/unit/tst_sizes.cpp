// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"

#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

// Counts the methods and lines of every class in the sources. A class beyond the limit says why in the comment above
// it ("Large because ..."), so that none grows unnoticed into the room where everything is put.
class TstSizes : public QObject
{
    Q_OBJECT

    struct Size {
        int methods = 0, inside = 0, lines = 0; // inside: methods of several lines that stand in the class itself
        [[nodiscard]] bool isLarge() const
        {
            return methods > mostMethods || methods + inside > mostTogether || lines > mostLines;
        }
    };
    static constexpr int mostMethods = 25;
    static constexpr int mostTogether = 30;
    static constexpr int mostLines = 400;

    // Classes of source files have the file in their keys, since several files may have one of the same name.
    static QString keyOf(const QString &name, const QSet<QString> &own, const QString &file)
    {
        return own.contains(name) ? name + QStringLiteral(" in ") + file : name;
    }

    static QRegularExpressionMatch classAt(const QStringList &lines, qsizetype i)
    {
        static const QRegularExpression head(QStringLiteral("^(?:class|struct) ((?:\\w+::)*\\w+)\\b[^;}]*$"));
        return head.match(lines.at(i));
    }

    static QString shortName(const QString &name)
    {
        const QString last = name.section(QStringLiteral("::"), -1);
        return last == QLatin1String("Private") ? name : last;
    }

    // The methods in the braces of a class that begins in line `i`. Returns its last line.
    static qsizetype countInside(const QStringList &lines, qsizetype i, Size &size)
    {
        static const QRegularExpression method(QStringLiteral(
            "^    (?!using\\b|static_assert|struct\\b|class\\b|enum\\b|union\\b|Q_|friend\\b)[^\\s:,#/};=]"
            "[^;=]*?\\b(~?\\w+|operator[^(]+)\\(.*[^;,]$"));
        for (++i; i < lines.size() && lines.at(i) != QLatin1String("};"); ++i) {
            if (!method.match(lines.at(i)).hasMatch()) {
                continue;
            }
            qsizetype end = i;
            if (!lines.at(i).endsWith(QLatin1Char('}'))) {
                while (end + 1 < lines.size() && lines.at(end) != QLatin1String("    }")
                    && lines.at(end + 1) != QLatin1String("};") && !lines.at(end).endsWith(QLatin1Char(';'))
                    && !lines.at(end).endsWith(QLatin1String(" }"))) {
                    if (lines.at(end).endsWith(QLatin1Char('{'))) {
                        while (end + 1 < lines.size() && lines.at(end + 1) != QLatin1String("    }")
                            && lines.at(end + 1) != QLatin1String("};")) {
                            ++end;
                        }
                    }
                    ++end;
                }
            }
            if (lines.at(end).endsWith(QLatin1Char(';'))) {
                continue; // a declaration of several lines
            }
            size.inside += end > i ? 1 : 0;
            size.lines += int(end - i) + 1;
            i = end;
        }
        return i;
    }

    // The definitions of methods that stand in the first column, "void X::name(...)" to its last brace, and those
    // within a class.
    static void countIn(const QString &text, QMap<QString, Size> &sizes, const QString &file = {})
    {
        static const QRegularExpression method(
            QStringLiteral("^(?!using|static_assert|namespace|struct|class)(?:[A-Za-z][^;{}()=]*?\\b)?"
                           "((?:[A-Z]\\w*::)+)(~?\\w+|operator[^(]+)\\("));
        const QStringList lines = text.split(QLatin1Char('\n'));
        QSet<QString> own;
        for (qsizetype i = 0; file.endsWith(QLatin1String(".cpp")) && i < lines.size(); ++i) {
            if (const auto match = classAt(lines, i); match.hasMatch()) {
                own.insert(shortName(match.captured(1)));
            }
        }
        for (qsizetype i = 0; i < lines.size(); ++i) {
            if (const auto match = classAt(lines, i); match.hasMatch()) {
                i = countInside(lines, i, sizes[keyOf(shortName(match.captured(1)), own, file)]);
                continue;
            }
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
            Size &size = sizes[keyOf(shortName(match.captured(1).chopped(2)), own, file)];
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

    static bool saysWhy(const QMap<QString, QString> &sources, const QString &key)
    {
        const QString name = key.section(QStringLiteral(" in "), 0, 0), file = key.section(QStringLiteral(" in "), 1);
        const QRegularExpression comment(
            QStringLiteral("((?:^//[^\\n]*\\n)+)(?:class|struct) (?:\\w+::)*%1\\b[^;\\n]*$")
                .arg(QRegularExpression::escape(name.section(QStringLiteral("::"), -1))),
            QRegularExpression::MultilineOption);
        for (auto source = sources.cbegin(); source != sources.cend(); ++source) {
            if (!source.key().endsWith(file)) {
                continue;
            }
            for (auto it = comment.globalMatch(*source); it.hasNext();) {
                if (QString said = it.next().captured(1);
                    said.replace(QLatin1String("\n// "), QLatin1String(" ")).contains(QLatin1String("Large because"))) {
                    return true;
                }
            }
        }
        return false;
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

    void methodsInsideAClassAreCounted()
    {
        QMap<QString, Size> sizes;
        const QString text = QStringLiteral("class Yard : public QObject\n{\npublic:\n    Yard();\n"
                                            "    int size() const { return m_size; }\n"
                                            "    explicit Yard(int size)\n        : m_size(size)\n    {\n"
                                            "        if (size > 3) {\n            grow(size,\n                2);\n"
                                            "        }\n    }\n"
                                            "    void grow(int by,\n        int times);\n\nprivate:\n"
                                            "    int m_size = sizeOf(2);\n};\n"
                                            "Yard::Yard()\n{\n    grow(1, 2);\n}\n");
        countIn(text, sizes);
        QCOMPARE(sizes.keys(), QStringList{QStringLiteral("Yard")});
        QCOMPARE(sizes.value(QStringLiteral("Yard")).methods, 1);
        QCOMPARE(sizes.value(QStringLiteral("Yard")).inside, 1);
        QCOMPARE(sizes.value(QStringLiteral("Yard")).lines, 13);
        countIn(text, sizes, QStringLiteral("model/yard.cpp"));
        QCOMPARE(sizes.keys(), (QStringList{QStringLiteral("Yard"), QStringLiteral("Yard in model/yard.cpp")}));
        QVERIFY(!saysWhy({{QStringLiteral("/s/model/yard.cpp"), text}}, QStringLiteral("Yard in model/yard.cpp")));
        const QString said = QStringLiteral("// Large because\n// of trains.\n") + text;
        QVERIFY(saysWhy({{QStringLiteral("/s/model/yard.cpp"), said}}, QStringLiteral("Yard in model/yard.cpp")));
        QVERIFY(!saysWhy({{QStringLiteral("/s/model/fork.cpp"), said}}, QStringLiteral("Yard in model/yard.cpp")));
    }

    void largeClassesSayWhy()
    {
        const QMap<QString, QString> all = sources();
        QMap<QString, Size> sizes;
        for (auto it = all.cbegin(); it != all.cend(); ++it) {
            countIn(it.value(), sizes, it.key().mid(qEnvironmentVariable("TRAINYARD_SOURCE").size() + 1));
        }
        QVERIFY2(sizes.size() > 200, qPrintable(QString::number(sizes.size())));
        QStringList wrong;
        for (auto it = sizes.cbegin(); it != sizes.cend(); ++it) {
            if (it->isLarge()) {
                const bool isSaid = saysWhy(all, it.key());
                qInfo("%s: %d methods, %d lines%s", qPrintable(it.key()), it->methods + it->inside, it->lines,
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
