// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QHash>
#include <QRegularExpression>
#include <QTest>

// Reads every #include of the sources and fails on any arrow that docs/architecture.md does not allow. The rules name
// the folders that a folder may include from; everything else is forbidden, so a new folder must be thought about.
class TstArrows : public QObject
{
    Q_OBJECT

    struct Rule {
        QString folder; // longest match wins
        QStringList mayUse; // folders of ours, besides itself
        QStringList mayNotUse; // system headers, as regular expressions
    };
    static QList<Rule> rules()
    {
        const QStringList noGui{QStringLiteral("^(QtWidgets|QtGui|QWidget|QPainter|QColor|QIcon|QApplication|Qsci)")};
        const QStringList noIo{QStringLiteral(
            "^(QFile|QDir|QProcess|QSaveFile|QSql|QLocalSocket|QTimer|QTcp|QSocketNotifier|fcntl\\.h|unistd\\.h)\\b")};
        const QStringList noQt{QStringLiteral("^Q[A-Z]|^Qt"), QStringLiteral("^yaml-cpp")};
        const auto s = [](const char *text) { return QString::fromLatin1(text); };
        return {
            {s("model"), {s("model")}, noGui + noIo},
            {s("engine/contract"), {}, noQt},
            {s("engine/metrics"), {}, noQt + QStringList{QStringLiteral("^(regex|nlohmann)")}},
            {s("engine/health"), {s("engine/metrics"), s("model/sweep/lowerwords.h")},
                noQt + QStringList{QStringLiteral("^(regex|nlohmann)")}},
            {s("engine/metricfiles"), {s("engine/metrics")}, noQt + QStringList{QStringLiteral("^(regex|nlohmann)")}},
            {s("engine/series"), {}, noQt + QStringList{QStringLiteral("^(regex|nlohmann)")}},
            {s("engine/agent"),
                {s("engine/contract"), s("engine/metricfiles"), s("engine/metrics"), s("engine/series")}, noQt},
            {s("engine/api"), {s("model")}, noGui + noIo},
            {s("engine/client"),
                {s("engine/api"), s("engine/bring"), s("engine/contract"), s("engine/metrics"), s("engine/series"),
                    s("model")},
                noGui},
            {s("engine/code"), {s("engine/contract"), s("model")}, noGui},
            {s("engine/bring"), {s("engine/contract"), s("model")}, noGui},
            {s("engine/foreign"),
                {s("engine/client"), s("engine/contract"), s("engine/api"), s("engine/metricfiles"),
                    s("engine/metrics"), s("engine/series"), s("model")},
                noGui},
            {s("engine/core"), {s("engine/api"), s("model")}, noGui + noIo},
            {s("engine/launch"), {s("engine/core"), s("engine/api"), s("model")}, noGui + noIo},
            {s("engine/store"), {s("engine/core"), s("engine/api"), s("model")}, noGui},
            {s("engine/hosts"),
                {s("engine/contract"), s("engine/series"), s("engine/core"), s("engine/api"), s("engine/client"),
                    s("model")},
                noGui},
            {s("engine/backend"),
                {s("engine/store"), s("engine/launch"), s("engine/core"), s("engine/client"), s("engine/api"),
                    s("engine/contract"), s("model")},
                noGui},
            {s("engine/clusters"),
                {s("engine/backend"), s("engine/hosts"), s("engine/launch"), s("engine/core"), s("engine/client"),
                    s("engine/api"), s("engine/contract"), s("model")},
                noGui},
            {s("engine/pool"),
                {s("engine/backend"), s("engine/hosts"), s("engine/launch"), s("engine/core"), s("engine/code"),
                    s("engine/bring"), s("engine/client"), s("engine/api"), s("engine/contract"), s("model")},
                noGui},
            {s("engine/results"),
                {s("engine/health"), s("engine/series"), s("engine/client"), s("engine/contract"), s("engine/api"),
                    s("engine/metrics"), s("model")},
                noGui},
            {s("engine/daemon"),
                {s("engine/results"), s("engine/health"), s("engine/backend"), s("engine/store"), s("engine/launch"),
                    s("engine/core"), s("engine/client"), s("engine/api"), s("engine/contract"), s("model")},
                noGui},
            // What chooses what runs jobs, and what clusters get from the pool.
            {s("engine/daemon/engineparts.h"),
                {s("engine/pool"), s("engine/clusters"), s("engine/daemon"), s("engine/results"), s("engine/backend"),
                    s("engine/core"), s("engine/client"), s("engine/api"), s("engine/contract"), s("model")},
                noGui},
            {s("engine/daemon/engineparts.cpp"),
                {s("engine/pool"), s("engine/clusters"), s("engine/daemon"), s("engine/results"), s("engine/backend"),
                    s("engine/core"), s("engine/client"), s("engine/api"), s("engine/contract"), s("model")},
                noGui},
            {s("engine/daemon/poolforclusters.cpp"),
                {s("engine/pool"), s("engine/clusters"), s("engine/daemon"), s("engine/results"), s("engine/backend"),
                    s("engine/core"), s("engine/client"), s("engine/api"), s("engine/contract"), s("model")},
                noGui},
            {s("widgets/text"), {s("engine/api"), s("model")}, noGui},
            {s("widgets"), {s("widgets"), s("engine/client"), s("engine/api"), s("model")}, {}},
            {s("widgets/plot"),
                {s("widgets"), s("engine/client"), s("engine/api"), s("engine/metrics"), s("engine/series"),
                    s("model")},
                {}},
            {s("app/cli"), {s("widgets/text"), s("engine"), s("model"), s("app/common")}, noGui},
            {s("app/daemon"),
                {s("widgets/text"), s("engine/daemon"), s("engine/client"), s("engine/api"), s("engine/contract"),
                    s("model")},
                noGui},
            {s("app"),
                {s("app"), s("widgets"), s("engine/client"), s("engine/bring"), s("engine/foreign"), s("engine/api"),
                    s("engine/daemon"), s("model")},
                {}},
            {s("tests"), {s("tests"), s("app"), s("widgets"), s("engine"), s("model")}, {}},
        };
    }

    static bool isBelow(const QString &path, const QString &folder)
    {
        return path == folder || path.startsWith(folder + QLatin1Char('/'));
    }

    static const Rule *ruleFor(const QString &file, const QList<Rule> &all)
    {
        const Rule *best = nullptr;
        for (const Rule &rule : all) {
            if (isBelow(file, rule.folder) && (!best || rule.folder.size() > best->folder.size())) {
                best = &rule;
            }
        }
        return best;
    }

private Q_SLOTS:
    void noForbiddenInclude()
    {
        const QString source = qEnvironmentVariable("TRAINYARD_SOURCE");
        QVERIFY2(!source.isEmpty(), "TRAINYARD_SOURCE names the source folder");
        const QRegularExpression include(
            QStringLiteral("^\\s*#\\s*include\\s*([<\"])([^>\"]+)[>\"]"), QRegularExpression::MultilineOption);
        const QList<Rule> all = rules();
        QStringList wrong;
        int files = 0;
        for (const QString &top : {QStringLiteral("model"), QStringLiteral("engine"), QStringLiteral("widgets"),
                 QStringLiteral("app"), QStringLiteral("tests")}) {
            QDirIterator it(source + QLatin1Char('/') + top, {QStringLiteral("*.h"), QStringLiteral("*.cpp")},
                QDir::Files, QDirIterator::Subdirectories);
            while (it.hasNext()) {
                const QString path = it.next();
                const QString name = QDir(source).relativeFilePath(path);
                const Rule *rule = ruleFor(name, all);
                if (!rule) {
                    wrong << name + QStringLiteral(": no rule for its folder");
                    continue;
                }
                QFile file(path);
                QVERIFY(file.open(QIODevice::ReadOnly));
                ++files;
                const QString text = QString::fromUtf8(file.readAll());
                auto match = include.globalMatch(text);
                while (match.hasNext()) {
                    const QRegularExpressionMatch m = match.next();
                    const QString target = m.captured(2);
                    if (m.captured(1) == QLatin1String("<")) {
                        for (const QString &pattern : rule->mayNotUse) {
                            if (QRegularExpression(pattern).match(target).hasMatch()) {
                                wrong << name + QStringLiteral(" includes <") + target + QStringLiteral(">");
                            }
                        }
                        continue;
                    }
                    if (!target.contains(QLatin1Char('/'))) {
                        continue; // "x.moc"
                    }
                    bool allowed = isBelow(target, rule->folder);
                    for (const QString &folder : rule->mayUse) {
                        allowed = allowed || isBelow(target, folder);
                    }
                    if (!allowed) {
                        wrong << name + QStringLiteral(" includes \"") + target + QLatin1Char('"');
                    }
                }
            }
        }
        QVERIFY2(files > 20, "the sources were found");
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    }

    void aForbiddenArrowIsSeen()
    {
        const QList<Rule> all = rules();
        const Rule *model = ruleFor(QStringLiteral("model/yaml/x.cpp"), all);
        QVERIFY(model);
        QVERIFY(!model->mayUse.contains(QStringLiteral("engine")));
        QVERIFY(QRegularExpression(model->mayNotUse.constFirst()).match(QStringLiteral("QWidget")).hasMatch());
        QCOMPARE(ruleFor(QStringLiteral("engine/core/next.cpp"), all)->folder, QStringLiteral("engine/core"));
    }
};

TRAINYARD_TEST(TstArrows)
#include "tst_arrows.moc"
