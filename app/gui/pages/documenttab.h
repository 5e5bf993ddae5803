// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/workbench/page.h"

namespace trainyard
{

class DesignerPage;

// A document in the window, with the window's data about it in addition to its text.
class DocumentTab final : public Page
{
    Q_OBJECT
public:
    static constexpr QLatin1StringView kind{"document"}; // in PageRegistry and in sessions

    explicit DocumentTab(DesignerPage *designer);
    DesignerPage *designer() const { return m_designer; }

    // The runtime of its next runs, as with `trainyardctl run --in`; empty: as the job or the host says.
    QString runIn() const { return m_runIn; }
    void setRunIn(const QString &word);
    // The text of the action Run, with its mnemonic; it names another machine to which the job goes.
    QString runText(const QString &away) const;
    // Where its next runs go, as `trainyardctl run --on`.
    QString target() const { return m_target; }
    void setTarget(const QString &id);
    // The run whose text it was, or empty.
    QString originRun() const { return m_originRun; }
    void setOriginRun(const QString &uuid);
    // The runs that it was submitted as since it was opened, the newest last. A session keeps the newest of them.
    QStringList runs() const { return m_runs; }
    QString lastRun() const { return m_runs.isEmpty() ? QString() : m_runs.constLast(); }
    void noteRun(const QString &uuid) { m_runs.append(uuid); }
    void setRuns(const QStringList &uuids) { m_runs = uuids; }
    // The rehearsal whose original it is, which its next run is handed over with; empty: none.
    QString rehearsal() const { return m_rehearsal; }
    void setRehearsal(const QString &uuid) { m_rehearsal = uuid; }
    void toggleProblems();

    QString title() const override;
    QString tip() const override;
    QIcon icon() const override;
    bool isUnsaved() const override;
    bool isInNoFile() const override;
    QList<QAction *> actions() const override;
    QString statusText() const override { return {}; } // until the caret moves
    std::optional<PageProblems> problems() const override;
    DocumentTab *document() override { return this; }
    QString file() const override;
    bool hasYaml() const override { return true; }
    std::optional<ExportedJob> exported(bool withSecrets) override;
    bool canClose(Leaving how) override;
    void askToClose(Leaving how, int others, const std::function<void(Answer)> &answered) override;
    std::optional<SessionTab> place() const override;

Q_SIGNALS:
    void runRequested();
    void previewRequested();
    void compareRequested(); // with the file on disk
    // `as`: under another name. `then` is called when it is saved.
    void saveRequested(bool as, const std::function<void()> &then);
    void runInChanged();
    void targetChanged();
    void textParsed(); // the text may be another one since the last time

private:
    bool comesBackWhole() const; // at the next start
    DesignerPage *m_designer;
    QString m_runIn;
    QString m_target;
    QString m_originRun;
    QStringList m_runs;
    QString m_rehearsal;
};

} // namespace trainyard
