// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/runtime/jobchanges.h"
#include "widgets/text/failuretexts.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace trainyard
{

class Offer;

// What to do about a failure, the best offer first. As a list each offer has its words; if there is no room for that,
// the buttons are side by side and their tool tips have the words.
class FailureOffers : public QWidget
{
    Q_OBJECT
public:
    FailureOffers();
    // What is to be put right, which decides what is offered first if a retry would fail in the same way.
    using Fault = FailureText::Fault;
    void setFault(Fault fault);
    // What can be opened to correct the job itself: its file, or its text if it has none; if a script was not found,
    // the place that names the script. A file whose text differs from the run's is not offered first.
    enum class Document { None, File, OtherFile, Text, Place };
    void setMayGoWell(bool on);
    void setTransient(bool on); // retrying comes before any change
    void setDocument(Document document);
    void setChanges(const QList<JobChange> &changes); // of many, the first ones are offered
    void setRetry(bool on, bool isPart);
    void setCode(const QString &file, int line); // where the failure was in the user's own code; empty: nowhere

    enum class Form { Beside, Below, Short }; // what is said of the failure
    void setForm(Form form, int width);
    int heightAs(Form form, int width) const;
    int widthBeside() const;
    QSize minimumSizeHint() const override; // that of its buttons: a form that needs more room gives way to another

Q_SIGNALS:
    void changed(); // it may want another size
    void runAgainRequested();
    void retryRequested();
    void editRequested();
    void documentRequested(bool toPlace);
    void changeRequested(const trainyard::JobChange &change);
    void codeRequested(const QString &file, int line);

private:
    Offer *addOffer(const QString &title, const QString &detail);
    Offer *changeOffer(const JobChange &change);
    QList<Offer *> inOrder() const;
    QList<Offer *> shown() const;
    void updateOrder();
    void updateKinds();
    void updateRetry();
    void arrange();
    Form m_form = Form::Beside;
    bool againIsBest() const;
    bool m_mayGoWell = true;
    bool m_isTransient = false;
    bool m_isRetryPart = true;
    Fault m_fault = Fault::Code;
    Document m_document = Document::None;
    QList<JobChange> m_changesShown;
    QList<Offer *> m_changes; // one for each of them
    QString m_codeFile;
    int m_codeLine = 0;
    Offer *m_code = nullptr; // only where there is such a place
    QList<Offer *> m_arranged;
    QLabel *m_heading;
    Offer *m_retry;
    Offer *m_again;
    Offer *m_edit;
    Offer *m_open;
    QPushButton *m_retryButton;
    QPushButton *m_againButton;
    QPushButton *m_editButton;
    QPushButton *m_openButton;
};

} // namespace trainyard
